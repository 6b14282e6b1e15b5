import type { JsonObject } from './json-schema.ts'

/** Returns the path items of our OpenAPI document, with references resolved. */
export function pathItems(document: JsonObject): Record<string, Record<string, JsonObject>> {
  const { paths, components } = document as {
    paths: Record<string, Record<string, unknown>>
    components?: { pathItems?: Record<string, Record<string, unknown>> }
  }
  const referred = (item: Record<string, unknown>) =>
    typeof item.$ref === 'string' ? components?.pathItems?.[item.$ref.slice(PLACE.length)] : item
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [path, (referred(item) ?? {}) as Record<string, JsonObject>]),
  )
}

const PLACE = '#/components/pathItems/'
