import { isObject, own } from '@callboard/x402'
import type { ToldResource } from '../claim.ts'
import { MAX_URL } from '../resource.ts'
import { jsonOf, NotThatDocument, type Told } from './read.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const MAX_PATHS = 2_000
/** Of a path's or an operation's parameters, the last ones. */
const MAX_PARAMETERS = 64

/**
 * The paid operations of an OpenAPI document: those with `x-payment-info`. It may only speak for its own origin, even
 * if its `servers` name others; its references are not followed.
 * @param at where it was read
 */
export function openapiDocument(text: string, at: URL): Told {
  const document = jsonOf(text)
  const paths = isObject(document) ? own(document, 'paths') : undefined
  if (!isObject(document) || !isObject(paths) || typeof own(document, 'openapi') !== 'string') {
    throw new NotThatDocument('It is not an OpenAPI document: it has no `openapi` and `paths`.')
  }
  const base = baseOf(own(document, 'servers'), at)
  const resources: ToldResource[] = []
  const leftOut = { origin: 0, template: 0 }
  let entries = 0
  for (const [path, item] of Object.entries(paths).slice(0, MAX_PATHS)) {
    for (const method of METHODS) {
      const operation = isObject(item) ? own(item, method) : undefined
      const paid = isObject(operation) ? own(operation, 'x-payment-info') : undefined
      if (!isObject(item) || !isObject(operation) || !isObject(paid)) continue
      entries += 1
      const filled = filledPath(path, [...parametersOf(item), ...parametersOf(operation)])
      const url = filled === undefined ? undefined : URL.parse(`${base ?? at.origin}${filled}`)
      if (filled === undefined) leftOut.template += 1
      else if (base === undefined || url?.origin !== at.origin) leftOut.origin += 1
      else resources.push(resourceOf(operation, method, url, paid))
    }
  }
  const isLeftOut = Object.entries(leftOut).filter(([, count]) => count > 0)
  return { resources, leftOut: Object.fromEntries(isLeftOut), entries }
}

/** The URL of the first server, which may be relative; undefined if it is of another origin. */
function baseOf(servers: unknown, at: URL): string | undefined {
  const [first] = Array.isArray(servers) ? (servers as unknown[]) : []
  const given = isObject(first) ? own(first, 'url') : undefined
  const base = typeof given === 'string' ? URL.parse(given, at.href) : at
  if (base?.origin !== at.origin) return undefined
  // With a longer one no URL is imported, and each would be parsed with all of it.
  return typeof given === 'string' ? (base.origin + base.pathname.replace(/\/$/, '')).slice(0, MAX_URL) : at.origin
}

const listOf = (holder: Record<string, unknown>, name: string): readonly unknown[] => {
  const list = own(holder, name)
  return Array.isArray(list) ? list : []
}

const parametersOf = (holder: Record<string, unknown>): readonly unknown[] =>
  listOf(holder, 'parameters').slice(-MAX_PARAMETERS)

/** A path filled with the examples of its parameters; undefined if one has none, or if it is too long to be filled. */
function filledPath(path: string, parameters: readonly unknown[]): string | undefined {
  if (path.length > MAX_URL) return undefined
  let isFilled = true
  const filled = path.replace(/\{([^{}/]{1,64})\}/g, (_place, name: string) => {
    const example = exampleOf(
      parameters.findLast((one) => isObject(one) && own(one, 'in') === 'path' && own(one, 'name') === name),
    )
    if (example === undefined) isFilled = false
    return encodeURIComponent(example ?? '')
  })
  return isFilled && filled.startsWith('/') ? filled : undefined
}

function exampleOf(parameter: unknown): string | undefined {
  if (!isObject(parameter)) return undefined
  const schema = own(parameter, 'schema')
  const ofSchema = isObject(schema)
    ? [own(schema, 'example'), own(schema, 'default'), ...listOf(schema, 'examples'), ...listOf(schema, 'enum')]
    : []
  const found = [own(parameter, 'example'), ...ofSchema].find(
    (one) => typeof one === 'string' || typeof one === 'number',
  )
  return found === undefined || found === '' ? undefined : String(found).slice(0, 128)
}

function resourceOf(
  operation: Record<string, unknown>,
  method: string,
  url: URL,
  paid: Record<string, unknown>,
): ToldResource {
  return {
    url: url.href,
    method,
    title: own(operation, 'summary') ?? own(operation, 'operationId'),
    description: own(operation, 'description'),
    tags: own(operation, 'tags'),
    accepts: offersOf(paid),
    inputSchema: bodySchema(own(operation, 'requestBody')),
    isOwnWord: true,
  }
}

/** The ways to pay that its price implies, one per protocol. */
function offersOf(paid: Record<string, unknown>): Record<string, unknown>[] {
  const price = own(paid, 'price')
  const amount = isObject(price) ? (own(price, 'amount') ?? own(price, 'min')) : undefined
  const asset = isObject(price) ? own(price, 'currency') : undefined
  return listOf(paid, 'protocols').flatMap((protocol) =>
    isObject(protocol)
      ? Object.keys(protocol)
          .slice(0, 4)
          .map((scheme) => ({ scheme, amount, asset }))
      : [],
  )
}

/** The schema of a JSON body, if it is inline; a reference to another would say little by itself. */
function bodySchema(body: unknown): unknown {
  const content = isObject(body) ? own(body, 'content') : undefined
  const json = isObject(content) ? own(content, 'application/json') : undefined
  const schema = isObject(json) ? own(json, 'schema') : undefined
  return isObject(schema) && own(schema, '$ref') === undefined ? schema : undefined
}
