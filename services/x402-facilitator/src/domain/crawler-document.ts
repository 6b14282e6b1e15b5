import { isObject } from '@callboard/x402'

type JsonObject = Record<string, unknown>

/** Extracts one path of an OpenAPI document, with everything it refers to: what is sold, as crawlers read it. */
export function crawlerDocument(document: JsonObject, path: string): JsonObject {
  const item = isObject(document.paths) ? document.paths[path] : undefined
  const tags = tagsOf(item)
  const { components, tags: described, ...rest } = document
  return {
    ...rest,
    ...(Array.isArray(described) ? { tags: described.filter((tag) => isObject(tag) && tags.has(tag.name)) } : {}),
    paths: { [path]: item },
    components: referredFrom(item, isObject(components) ? components : {}),
  }
}

const tagsOf = (item: unknown): Set<unknown> =>
  new Set(
    isObject(item) ? Object.values(item).flatMap((op) => (isObject(op) && Array.isArray(op.tags) ? op.tags : [])) : [],
  )

/** A reference to a component, or to a place within one. */
const REFERENCE = /^#\/components\/(\w+)\/([\w.-]+)/g

/** The components that a value refers to, directly or through others. */
function referredFrom(root: unknown, components: JsonObject): JsonObject {
  const found: Record<string, JsonObject> = {}
  const hold = (kind: string, name: string): void => {
    const ofKind = components[kind]
    if (!isObject(ofKind) || !(name in ofKind) || found[kind]?.[name] !== undefined) return
    found[kind] = { ...found[kind], [name]: ofKind[name] }
    walk(ofKind[name])
  }
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const member of value) walk(member)
    if (!isObject(value)) return
    for (const [, kind, name] of String(value.$ref).matchAll(REFERENCE)) hold(kind as string, name as string)
    for (const member of Object.values(value)) walk(member)
  }
  walk(root)
  return found
}
