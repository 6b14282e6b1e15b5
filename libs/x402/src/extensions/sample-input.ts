import { isObject, own } from '../json.ts'
import { type WalkBounds, withinBounds } from '../offers/foreign-walk.ts'

type Schema = Readonly<Record<string, unknown>>

/** A paywall's validator requires a few members; a schema that requires more is answered with `{}`. */
const BOUNDS: WalkBounds = { maxDepth: 8, maxNodes: 256 }
const MAX_CHARACTERS = 8 * 1024
const MAX_TEXT = 256

const TEXT_BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  email: 'probe@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/**
 * The smallest JSON body that passes an input schema, for validators in front of a paywall: the schema's const,
 * example, default or enum, otherwise the required members by type. `{}` if nothing is known, or if the sample would
 * exceed its bounds.
 * @param schema a third party's: any JSON
 */
export function sampleInput(schema: Schema | undefined): string {
  if (!schema) return '{}'
  const text = JSON.stringify(sampleValue(schema))
  return text.length <= MAX_CHARACTERS ? text : '{}'
}

/** The same, as a value. */
export const sampleValue = (schema: Schema): unknown => withinBounds(BOUNDS, (enter) => sample(schema, 0, enter), {})

/** A value that a schema itself contains; undefined where it contains none. */
export const givenValue = (schema: Schema): unknown =>
  [schema.const, first(schema.examples), schema.example, schema.default, first(schema.enum)].find(
    (one) => one !== undefined,
  )

function sample(schema: Schema, depth: number, enter: (depth: number) => void): unknown {
  enter(depth)
  const value = givenValue(schema)
  if (value !== undefined) return value
  const type = first(schema.type) ?? (isObject(schema.properties) ? 'object' : 'string')
  if (type === 'object') return sampleObject(schema, depth, enter)
  if (type === 'array') {
    return numberOf(schema.minItems) > 0 && isObject(schema.items) ? [sample(schema.items, depth + 1, enter)] : []
  }
  if (type === 'number' || type === 'integer') return typeof schema.minimum === 'number' ? schema.minimum : 1
  if (type === 'boolean') return true
  if (type === 'null') return null
  return sampleText(schema)
}

/**
 * Takes each required name once: repeated names would multiply the walk at every level. Where more members are needed,
 * they are the first that the schema describes.
 */
function sampleObject(schema: Schema, depth: number, enter: (depth: number) => void): Schema {
  const { properties, required, minProperties } = schema
  const members = isObject(properties) ? properties : {}
  const names = new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [])
  const others = Object.keys(members).filter((name) => !names.has(name))
  const missing = others.slice(0, Math.max(0, numberOf(minProperties) - names.size))
  return Object.fromEntries(
    [...names, ...missing].map((name) => {
      const member = own(members, name)
      return [name, sample(isObject(member) ? member : {}, depth + 1, enter)]
    }),
  )
}

function sampleText({ format, minLength }: Schema): string {
  const known = typeof format === 'string' && Object.hasOwn(TEXT_BY_FORMAT, format) ? TEXT_BY_FORMAT[format] : undefined
  return known ?? 'probe'.padEnd(Math.min(numberOf(minLength), MAX_TEXT), '-')
}

/** A third party's number; 0 for anything else, since some values cannot be converted to a number at all. */
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)
