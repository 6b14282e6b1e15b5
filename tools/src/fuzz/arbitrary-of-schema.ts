import fc from 'fast-check'
import { URLS } from './hostile.ts'
import type { JsonSchema } from './targets.ts'

/** Values that exist on the instance, by the name of the member that takes them. */
export type Known = ReadonlyMap<string, readonly unknown[]>

interface Context {
  readonly known: Known
  readonly definitions: Readonly<Record<string, JsonSchema>>
  readonly depth: number
}

/** The depth at which a self-referencing schema is cut off. */
const DEEPEST = 6

/** Values that fit a JSON Schema, as far as it says; for a known member name, mostly existing values. */
export function arbitraryOf(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const definitions = (schema.$defs ?? {}) as Record<string, JsonSchema>
  return fitting(schema, { known, definitions: { ...definitions, '#': schema }, depth: 0 })
}

function fitting(schema: JsonSchema, context: Context, name?: string): fc.Arbitrary<unknown> {
  const values = name === undefined ? undefined : context.known.get(name)
  const arbitrary = bySchema(schema, { ...context, depth: context.depth + 1 }, name)
  if (!values || values.length === 0) return arbitrary
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary })
}

function bySchema(schema: JsonSchema, context: Context, name?: string): fc.Arbitrary<unknown> {
  if (context.depth > DEEPEST) return fc.constantFrom(null, 0, '', {}, [])
  if (typeof schema.$ref === 'string') {
    const referred = context.definitions[schema.$ref === '#' ? '#' : (schema.$ref.split('/').at(-1) ?? '')]
    return referred ? fitting(referred, context, name) : fc.jsonValue()
  }
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices) && schema.properties === undefined) {
    return fc.oneof(...(choices as JsonSchema[]).map((choice) => fitting(choice, context, name)))
  }
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return textOf(schema, name)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(fitting((schema.items ?? {}) as JsonSchema, context, name), { maxLength: 4 })
    case 'object':
      return objectOf(schema, context)
    default:
      return schema.properties ? objectOf(schema, context) : fc.oneof(fc.jsonValue(), fc.string({ maxLength: 20 }))
  }
}

function objectOf(schema: JsonSchema, context: Context): fc.Arbitrary<unknown> {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : []
  if (Object.keys(properties).length === 0)
    return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue(), { maxKeys: 4 })
  const members = Object.entries(properties).map(([name, member]) => [name, fitting(member, context, name)] as const)
  return fc.record(Object.fromEntries(members), {
    requiredKeys: required.filter((name) => name in properties),
    noNullPrototype: true,
  })
}

function numberOf({ minimum, maximum, exclusiveMinimum, type }: JsonSchema): fc.Arbitrary<number> {
  const min = Math.ceil(Math.max(Number(minimum ?? exclusiveMinimum ?? 0), Number.MIN_SAFE_INTEGER))
  const max = Math.max(min, Math.min(Number(maximum ?? 1_000), Number.MAX_SAFE_INTEGER))
  const whole = fc.oneof(fc.integer({ min, max: Math.floor(max) }), fc.constantFrom(min, max))
  return type === 'integer' ? whole : fc.oneof(whole, fc.double({ min, max, noNaN: true }))
}

/** Names whose values the server fetches, or could: only addresses on this machine are used for them. */
const FETCHED = /url|uri|origin|href|resource|jwks|logo|website|image/i

function textOf({ pattern, minLength, maxLength, format }: JsonSchema, name = ''): fc.Arbitrary<string> {
  if (FETCHED.test(name) || format === 'uri') return fc.constantFrom(...URLS)
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  const bounds = { minLength: Number(minLength ?? 0), maxLength: Math.min(Number(maxLength ?? 60), 150) }
  const plain = fc.oneof(
    fc.string(bounds),
    fc.string({ ...bounds, unit: 'grapheme' }).filter((text) => text.length <= bounds.maxLength),
  )
  return typeof pattern === 'string' ? (matching(pattern, bounds.maxLength) ?? plain) : plain
}

const made = new Map<string, fc.Arbitrary<string> | undefined>()

/** Texts that match a pattern, cached since making them is slow; undefined for lookaround, which is unsupported. */
function matching(pattern: string, maxLength: number): fc.Arbitrary<string> | undefined {
  const key = `${maxLength} ${pattern}`
  if (!made.has(key)) made.set(key, arbitraryMatching(pattern, maxLength))
  return made.get(key)
}

function arbitraryMatching(pattern: string, maxLength: number): fc.Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength, size: 'small' })
  } catch {
    return undefined
  }
}
