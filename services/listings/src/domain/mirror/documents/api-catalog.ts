import { isObject, own } from '@callboard/x402'
import type { ToldResource } from '../claim.ts'
import { type FollowedDocument, jsonOf, NotThatDocument, type Told } from './read.ts'

const MAX_CONTEXTS = 500
const MAX_LINKS = 1_000
/** Other kinds of descriptions, such as GraphQL or WSDL, say nothing about payments. */
const OPENAPI_TYPE = /^(application\/(openapi\+json|vnd\.oai\.openapi\+json|json|problem\+json)|)$/

/**
 * An API catalog of RFC 9727: a linkset whose `service-desc` links lead to OpenAPI documents, `item` links to
 * endpoints, and `api-catalog` links to further catalogs.
 * @param at where it was read; its links may be relative to it
 * @source RFC 9727, RFC 9264, RFC 8631
 */
export function apiCatalog(text: string, at: URL): Told {
  const document = jsonOf(text)
  const linkset = isObject(document) ? own(document, 'linkset') : undefined
  if (!Array.isArray(linkset)) throw new NotThatDocument('It is not an API catalog: it has no `linkset`.')
  const resources: ToldResource[] = []
  const follow = new Map<string, FollowedDocument>()
  for (const context of linkset.slice(0, MAX_CONTEXTS) as unknown[]) {
    if (!isObject(context)) continue
    for (const { url } of linksOf(context, 'item', at)) resources.push({ url })
    for (const { url, type } of linksOf(context, 'service-desc', at)) {
      if (OPENAPI_TYPE.test(type)) follow.set(url, { kind: 'openapi', url })
    }
    for (const { url } of linksOf(context, 'api-catalog', at)) {
      if (url !== at.href) follow.set(url, { kind: 'api-catalog', url })
    }
  }
  return {
    resources: resources.slice(0, MAX_LINKS),
    leftOut: {},
    entries: resources.length,
    follow: [...follow.values()].slice(0, MAX_LINKS),
  }
}

function linksOf(context: Record<string, unknown>, relation: string, at: URL): { url: string; type: string }[] {
  const targets = own(context, relation)
  // RFC 9264 requires an array of objects; some catalogs have one object, or a plain text.
  const list: readonly unknown[] = Array.isArray(targets) ? targets.slice(0, MAX_LINKS) : [targets]
  return list.flatMap((target) => {
    const href = isObject(target) ? own(target, 'href') : target
    const type = isObject(target) ? own(target, 'type') : undefined
    const url = typeof href === 'string' ? URL.parse(href.slice(0, 4_096), at.href) : null
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return []
    const [media = ''] = typeof type === 'string' ? type.toLowerCase().split(';', 1) : []
    return [{ url: url.href, type: media.trim() }]
  })
}
