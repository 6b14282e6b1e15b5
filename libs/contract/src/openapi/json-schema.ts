import { z } from 'zod'
import { namedSchemas } from '../named-schemas.ts'

export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The bounds that `z.int()` writes for "exact in a double"; they mean nothing in other languages. */
const DOUBLE_BOUNDS = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

/** Syntax that some regex engines lack: Unicode properties, lookbehind, named groups, possessive and atomic groups. */
const NOT_PORTABLE = /\\[pPk]|\(\?<|\(\?>|[*+?}]\+|\\[AZzGK]/

/**
 * Rewrites a pattern so that ECMAScript without flags and Python's `re` read it alike: `\d` matches every script's
 * digits in one of them and only ASCII in the other.
 * @throws Error for syntax that not all of them support
 */
export function portablePattern(pattern: string): string {
  if (NOT_PORTABLE.test(pattern)) throw new Error(`Not every reader of the document can compile ${pattern}`)
  return pattern.replaceAll('\\d', '[0-9]')
}

/** A schema and the schemas that it refers to, by name. */
export interface Written {
  readonly schema: JsonObject
  readonly named: ReadonlyMap<string, JsonObject>
}

type Io = 'input' | 'output'

const parameters = (io: Io) =>
  ({
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: object }) =>
      tidy(zodSchema, jsonSchema as JsonObject, io),
  }) as const

/** Writes a schema as JSON Schema without references, for readers that resolve none. */
export function inlineSchema(schema: z.ZodType, io: Io): JsonObject {
  const { $schema: _, ...root } = z.toJSONSchema(schema, parameters(io))
  return root
}

/** Writes a schema as JSON Schema, with each named schema as a reference to `#/components/schemas`. */
export function writeSchema(schema: z.ZodType, io: Io): Written {
  const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { ...parameters(io), metadata: namedSchemas })
  const named = Object.entries($defs).map(([name, one]) => [name, toComponents(one) as JsonObject] as const)
  return { schema: toComponents(root) as JsonObject, named: new Map(named) }
}

function tidy(zodSchema: z.core.$ZodTypes, schema: JsonObject, io: Io): void {
  const { def } = zodSchema._zod
  // The format already says all of it.
  if (schema.format === 'date-time') delete schema.pattern
  if (typeof schema.pattern === 'string') schema.pattern = portablePattern(schema.pattern)
  for (const [bound, ofDouble] of Object.entries(DOUBLE_BOUNDS)) if (schema[bound] === ofDouble) delete schema[bound]
  if (isAnyText(schema.propertyNames)) delete schema.propertyNames
  if (def.type === 'record' && Array.isArray(schema.required)) nameMembers(schema)
  // Another release may add members: readers of an answer ignore what they do not know.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  // For text of a query that is preprocessed, zod omits the default.
  if (io === 'input' && def.type === 'default') schema.default = def.defaultValue
}

const isAnyText = (schema: unknown): boolean =>
  isObject(schema) && schema.type === 'string' && Object.keys(schema).length === 1

/** Rewrites a record over an enum of keys, all required, as an object with those properties. */
function nameMembers(schema: JsonObject): void {
  const { additionalProperties: member, required } = schema
  schema.properties = Object.fromEntries((required as string[]).map((name) => [name, member]))
  delete schema.propertyNames
  delete schema.additionalProperties
}

export const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const DEFINITIONS = '#/$defs/'

/** The same value with its references pointing into one document. */
function toComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComponents)
  if (!isObject(value)) return value
  const { $ref } = value
  const rest = Object.entries(value).map(([key, member]) => [key, toComponents(member)])
  const reference =
    typeof $ref === 'string' && $ref.startsWith(DEFINITIONS) ? referenceTo($ref.slice(DEFINITIONS.length)) : {}
  return { ...Object.fromEntries(rest), ...reference }
}
