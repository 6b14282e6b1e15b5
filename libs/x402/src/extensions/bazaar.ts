import { isObject, own } from '../json.ts'
import type { Extensions } from '../messages/payment-required.ts'
import type { V1PaymentRequirements } from '../messages/v1.ts'
import { DOCUMENT_BOUNDS, withinBounds } from '../offers/foreign-walk.ts'

/** What an offer tells of the operation it sells. Untrusted: schemas and examples are data to show, not to follow. */
export interface Discovery {
  /** Its origin: the `bazaar` extension of version 2, or `outputSchema` of version 1. */
  readonly metadataEvidence: 'bazaar' | 'output-schema'
  readonly type: 'http' | 'mcp'
  /** HTTP method in capitals, if given. */
  readonly method?: string
  readonly toolName?: string
  /** Path with `:name` placeholders, where one offer covers many URLs. */
  readonly routeTemplate?: string
  /** JSON Schema of the query, the body or the tool's input. */
  readonly inputSchema?: JsonSchema
  /** A body or a query, by example. */
  readonly inputExample?: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly outputExample?: unknown
}

type JsonSchema = Record<string, unknown>

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const ROUTE_TEMPLATE = /^\/[a-zA-Z0-9_/:.\-~%]{1,512}$/

const member = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((at, key) => (isObject(at) ? own(at, key) : undefined), value)

/** Omits undefined members, so that an absent fact is an absent member. */
const present = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

const methodOf = (value: unknown): string | undefined => {
  const method = typeof value === 'string' ? value.toUpperCase() : ''
  return METHODS.has(method) ? method : undefined
}

/** Accepts a self-contained schema only: a `$ref` to another document would make a reader fetch it. */
const schemaOf = (value: unknown): JsonSchema | undefined =>
  isObject(value) && Object.keys(value).length > 0 && !refersElsewhere(value) ? value : undefined

/**
 * Whether a JSON Schema, at any depth, refers to another document. One that exceeds `DOCUMENT_BOUNDS` counts as if it
 * did, since it was not read to its end.
 */
export const refersElsewhere = (value: unknown): boolean =>
  withinBounds(DOCUMENT_BOUNDS, (enter) => hasForeignRef(value, 0, enter), true)

function hasForeignRef(value: unknown, depth: number, enter: (depth: number) => void): boolean {
  enter(depth)
  const isIn = (member: unknown) => hasForeignRef(member, depth + 1, enter)
  if (Array.isArray(value)) return value.some(isIn)
  if (!isObject(value)) return false
  const ref = own(value, '$ref')
  return (typeof ref === 'string' && !ref.startsWith('#')) || Object.values(value).some(isIn)
}

function routeTemplateOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !ROUTE_TEMPLATE.test(value)) return undefined
  try {
    const decoded = decodeURIComponent(value)
    return decoded.includes('..') || decoded.includes('://') || decoded.includes('%') ? undefined : value
  } catch {
    return undefined
  }
}

/** Whether a path matches a route template. */
export function fitsTemplate(template: string, pathname: string): boolean {
  const [places, parts] = [template.split('/'), pathname.split('/')]
  return places.length === parts.length && places.every((place, at) => place === parts[at] || isPlace(place, parts[at]))
}

const isPlace = (place: string, part: string | undefined): boolean => /^:[^:]+$/.test(place) && part !== ''

const isFilled = (value: unknown): value is JsonSchema => isObject(value) && Object.keys(value).length > 0

/** Reads the `bazaar` extension of a version 2 offer; undefined when it is absent or has no input type. */
export function readBazaar(extensions: Extensions | undefined): Discovery | undefined {
  const bazaar = extensions && own(extensions, 'bazaar')
  const input = member(bazaar, 'info', 'input')
  const type = member(input, 'type')
  if (type !== 'http' && type !== 'mcp') return undefined
  const inputSchemas = member(bazaar, 'schema', 'properties', 'input', 'properties')
  const toolName = member(input, 'toolName') ?? member(input, 'tool')
  const metadata = {
    method: type === 'http' ? methodOf(member(input, 'method')) : undefined,
    toolName: typeof toolName === 'string' ? toolName : undefined,
    routeTemplate: routeTemplateOf(member(bazaar, 'routeTemplate') ?? member(bazaar, 'info', 'routeTemplate')),
    inputSchema:
      type === 'mcp'
        ? schemaOf(member(input, 'inputSchema'))
        : (schemaOf(member(inputSchemas, 'body')) ?? schemaOf(member(inputSchemas, 'queryParams'))),
    inputExample: [member(input, 'body'), member(input, 'queryParams')].find(isFilled),
    outputSchema: schemaOf(member(bazaar, 'schema', 'properties', 'output', 'properties', 'example')),
    outputExample: member(bazaar, 'info', 'output', 'example'),
  }
  return { metadataEvidence: 'bazaar', type, ...present(metadata) }
}

/** Reads `outputSchema` of a version 1 entry. Its fields are listed by name; they are returned as JSON Schema. */
export function readOutputSchema({ outputSchema }: Pick<V1PaymentRequirements, 'outputSchema'>): Discovery | undefined {
  const input = member(outputSchema, 'input')
  if (member(input, 'type') !== 'http' || member(input, 'discoverable') === false) return undefined
  const first = (...names: string[]) => names.map((name) => member(input, name)).find(isObject)
  const fields =
    first('bodyFields', 'body_fields', 'bodyParams', 'body') ?? first('queryParams', 'query_params', 'query', 'params')
  const output = member(outputSchema, 'output')
  const isSchema = isObject(output) && (typeof output.type === 'string' || isObject(output.properties))
  const metadata = {
    method: methodOf(member(input, 'method')),
    inputSchema: fields && schemaOf(schemaOfFields(fields)),
    outputSchema: isSchema ? schemaOf(output) : undefined,
    outputExample: isSchema ? undefined : (output ?? undefined),
  }
  return { metadataEvidence: 'output-schema', type: 'http', ...present(metadata) }
}

/** Version 1 marks a field with `required: true`; JSON Schema lists the required names next to the properties. */
function schemaOfFields(fields: Record<string, unknown>): JsonSchema {
  const entries = Object.entries(fields).map(([name, field]) => {
    const { required, ...schema } = isObject(field)
      ? field
      : { type: typeof field === 'string' && TYPES.has(field) ? field : undefined }
    return { name, isRequired: required === true, schema: present(schema) }
  })
  const required = entries.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
  }
}
