import { EndpointSample, type HttpMethod } from '@callboard/contract'
import { DOCUMENT_BOUNDS, givenValue, isObject, own, sampleValue, withinBounds } from '@callboard/x402'

type JsonObject = Record<string, unknown>

/** What an OpenAPI document says about one URL. */
export interface Documented {
  /** The methods that the path supports, the paid ones first. */
  readonly methods: readonly HttpMethod[]
  /** For the method that was asked for, or else for the first one. */
  readonly operation: DocumentedOperation | undefined
}

export interface DocumentedOperation {
  readonly method: HttpMethod
  /** JSON Schema of the body, without references; undefined if there is none, or if it exceeds the bounds. */
  readonly inputSchema: JsonObject | undefined
  /** An example body; undefined if the document gives none. */
  readonly body: unknown
  readonly query: Readonly<Record<string, string>>
  /** By lower-cased name; none that carries a credential. */
  readonly headers: Readonly<Record<string, string>>
}

const MAX_PATHS = 2_000
const MAX_PARAMETERS = 16
const MAX_HEADERS = 8
const MAX_VALUE = 512
/** The order that crawlers use. @source x402scan, probe.ts */
const METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly HttpMethod[]

/**
 * What a third party's OpenAPI document says about a URL: the entry of the best-matching path, relative to the path of
 * the first server. Undefined if no path matches. References are followed only within the document and within its
 * bounds.
 * @source OpenAPI 3.1, 4.8.8; the `x-payment-info` of x402scan marks what is paid
 */
export function documented(document: unknown, url: URL, method?: HttpMethod): Documented | undefined {
  const item = pathItem(document, url)
  if (!item) return undefined
  const offered = METHODS.flatMap((name) => {
    const operation = own(item, name.toLowerCase())
    return isObject(operation) ? [{ name, operation, isPaid: isPaid(operation) }] : []
  }).sort((one, other) => Number(other.isPaid) - Number(one.isPaid))
  const asked = method ? offered.find(({ name }) => name === method) : offered[0]
  return {
    methods: offered.map(({ name }) => name),
    operation: asked && operationOf(document, item, asked.operation, asked.name),
  }
}

const isPaid = (operation: JsonObject): boolean => {
  const responses = own(operation, 'responses')
  return own(operation, 'x-payment-info') !== undefined || (isObject(responses) && own(responses, '402') !== undefined)
}

/** The path item whose path matches with the fewest parameters. */
function pathItem(document: unknown, { pathname }: URL): JsonObject | undefined {
  if (!isObject(document)) return undefined
  const paths = own(document, 'paths')
  if (!isObject(paths)) return undefined
  const below = basePath(document)
  // Its parts stand before those of every path: where they do not fit, however many there are, no path does.
  if (!pathname.startsWith(below)) return undefined
  const parts = pathname.split('/')
  const fitting = Object.entries(paths)
    .slice(0, MAX_PATHS)
    .flatMap(([path, item]) => {
      const places = `${below}${path}`.split('/')
      const fits = places.length === parts.length && places.every((place, at) => fitsPlace(place, parts[at]))
      return fits && isObject(item) ? [{ item, open: places.filter((place) => place.startsWith('{')).length }] : []
    })
  return fitting.sort((one, other) => one.open - other.open)[0]?.item
}

const fitsPlace = (place: string, part: string | undefined): boolean =>
  place === part || (place.startsWith('{') && place.endsWith('}') && part !== '')

/** Tried once for each run of slashes, and not for each slash: a document may have a quarter of a million in a row. */
const FINAL_SLASHES = /(?<!\/)\/+$/

function basePath(document: JsonObject): string {
  const servers = own(document, 'servers')
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined
  const url = isObject(first) ? first.url : undefined
  const path = typeof url === 'string' ? URL.parse(url, 'https://origin.invalid/')?.pathname : undefined
  return path?.replace(FINAL_SLASHES, '') ?? ''
}

function operationOf(
  document: unknown,
  item: JsonObject,
  operation: JsonObject,
  method: HttpMethod,
): DocumentedOperation {
  const content = member(resolved(document, own(operation, 'requestBody')), 'content')
  const json = member(content, 'application/json') ?? member(content, '*/*')
  const schema = member(json, 'schema')
  const required = [own(item, 'parameters') ?? [], own(operation, 'parameters') ?? []]
    .flat()
    .slice(0, MAX_PARAMETERS)
    .map((parameter) => resolved(document, parameter))
    .filter(isObject)
    .filter((parameter) => parameter.required === true)
  return {
    method,
    inputSchema: isObject(schema) ? schema : undefined,
    body: exampleOf(json),
    query: queryOf(required),
    headers: headersOf(required),
  }
}

/** The example of a parameter or a body; the first if there are several. */
function exampleOf(described: unknown): unknown {
  const examples = member(described, 'examples')
  const named = isObject(examples) ? member(Object.values(examples)[0], 'value') : undefined
  return member(described, 'example') ?? named
}

/** The required query parameters, each with a value that its schema accepts. */
function queryOf(required: readonly JsonObject[]): Record<string, string> {
  return Object.fromEntries(
    required.flatMap((parameter) => {
      const { in: place, name, schema } = parameter
      const text = textOf(exampleOf(parameter) ?? sampleValue(isObject(schema) ? schema : {}))
      return place === 'query' && typeof name === 'string' && text.length <= MAX_VALUE ? [[name, text]] : []
    }),
  )
}

/** The required headers with a value in the document, limited to those that an owner's sample may set. */
function headersOf(required: readonly JsonObject[]): Record<string, string> {
  const headers = required.flatMap((parameter) => {
    const { in: place, name, schema } = parameter
    const value = exampleOf(parameter) ?? (isObject(schema) ? givenValue(schema) : undefined)
    if (place !== 'header' || typeof name !== 'string' || value === undefined) return []
    const header = [name.toLowerCase(), textOf(value)] as const
    return EndpointSample.safeParse({ headers: Object.fromEntries([header]) }).success ? [header] : []
  })
  return Object.fromEntries(headers.slice(0, MAX_HEADERS))
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const member = (value: unknown, name: string): unknown => (isObject(value) ? own(value, name) : undefined)

/** A value with its references within the document resolved; undefined if that exceeds the bounds of a walk. */
const resolved = (document: unknown, value: unknown): unknown =>
  withinBounds(DOCUMENT_BOUNDS, (enter) => putInPlace(document, value, 0, enter), undefined)

function putInPlace(document: unknown, value: unknown, depth: number, enter: (depth: number) => void): unknown {
  enter(depth)
  if (Array.isArray(value)) return value.map((one) => putInPlace(document, one, depth + 1, enter))
  if (!isObject(value)) return value
  const ref = own(value, '$ref')
  if (typeof ref === 'string') return putInPlace(document, pointed(document, ref), depth + 1, enter)
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, putInPlace(document, one, depth + 1, enter)]),
  )
}

/** The target of a JSON pointer in a fragment; undefined if it points outside. @source RFC 6901 */
function pointed(document: unknown, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined
  return ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(member, document)
}
