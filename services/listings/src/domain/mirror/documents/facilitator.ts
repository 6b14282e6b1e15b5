import { type Extensions, isObject, own, readBazaar, readOutputSchema } from '@callboard/x402'
import type { ToldResource } from '../claim.ts'
import { jsonOf, NotThatDocument, type Told } from './read.ts'

const MAX_ENTRIES = 1_000

/**
 * One page of a facilitator's `/discovery/resources`, of version 1 or 2. Tools of MCP servers are left out: they are
 * paid within MCP, and this directory lists what is paid over HTTP.
 * @source x402 v2 specification, facilitator discovery
 */
export function facilitatorPage(text: string): Told {
  const page = jsonOf(text)
  const items = isObject(page) ? own(page, 'items') : undefined
  if (!isObject(page) || !Array.isArray(items))
    throw new NotThatDocument('It is not a page of resources: it has no `items`.')
  const pagination = own(page, 'pagination')
  const total = isObject(pagination) ? own(pagination, 'total') : undefined
  const read = items.slice(0, MAX_ENTRIES).map((item: unknown) => (isObject(item) ? itemOf(item) : 'url'))
  const count = (fault: 'url' | 'type') => read.filter((one) => one === fault).length
  return {
    resources: read.filter((one) => typeof one !== 'string'),
    leftOut: {
      ...(count('url') > 0 ? { url: count('url') } : {}),
      ...(count('type') > 0 ? { type: count('type') } : {}),
    },
    entries: items.length,
    total: typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : undefined,
  }
}

function itemOf(item: Record<string, unknown>): ToldResource | 'type' {
  if (own(item, 'type') !== undefined && own(item, 'type') !== 'http') return 'type'
  const accepts = own(item, 'accepts')
  const first: unknown = Array.isArray(accepts) ? accepts[0] : undefined
  const extensions = own(item, 'extensions')
  const metadata = own(item, 'metadata')
  const discovery =
    readBazaar(isObject(extensions) ? (extensions as Extensions) : undefined) ??
    (isObject(first) ? readOutputSchema({ outputSchema: own(first, 'outputSchema') as never }) : undefined)
  const says = (name: string): unknown =>
    own(item, name) ??
    (isObject(metadata) ? own(metadata, name) : undefined) ??
    (isObject(first) ? own(first, name) : undefined)
  return {
    url: own(item, 'resource'),
    method: discovery?.method ?? says('method'),
    title: says('serviceName') ?? says('name'),
    description: says('description'),
    tags: says('tags') ?? says('category'),
    accepts,
    inputSchema: discovery?.inputSchema,
  }
}
