import { isObject, type Json, member, objects, strings } from './json.ts'

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-11-20T12:00:00Z',
  date: '2026-11-20',
  time: '12:00:00Z',
  email: 'agent@example.com',
  uri: 'https://example.com/',
  uuid: '5b8f2c1e-3a4d-4e5f-8a6b-7c8d9e0f1a2b',
}
/** The depth at which a self-referencing schema is cut off. */
const DEEPEST = 12

/**
 * Returns a value that fits a JSON schema's types, bounds and required members; patterns are ignored.
 * @param text returns the words of its strings
 */
export function fitting(schema: Json, text: () => string): unknown {
  return fit(schema, { root: schema, text, depth: 0 })
}

interface Place {
  readonly root: Json
  readonly text: () => string
  readonly depth: number
}

function fit(given: unknown, place: Place): unknown {
  if (!isObject(given) || place.depth > DEEPEST) return null
  const schema = typeof given.$ref === 'string' ? referred(given.$ref, place.root) : given
  const inside = { ...place, depth: place.depth + 1 }
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const [choice] = [...objects(schema.anyOf), ...objects(schema.oneOf)]
  if (choice) return fit(choice, inside)
  switch (typeOf(schema)) {
    case 'object':
      return Object.fromEntries(
        strings(schema.required).map((name) => [name, fit(member(schema, 'properties')[name] ?? {}, inside)]),
      )
    case 'array':
      return Array.from({ length: Number(schema.minItems ?? 0) }, () => fit(schema.items, inside))
    case 'integer':
    case 'number':
      return number(schema)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return words(schema, place.text)
  }
}

function referred(ref: string, root: Json): Json {
  const path = ref.replace(/^#\/?/, '').split('/').filter(Boolean)
  return path.reduce((schema: Json, name) => member(schema, name), root)
}

function typeOf(schema: Json): string | undefined {
  const types = strings(schema.type)
  return types.find((type) => type !== 'null') ?? types[0] ?? (isObject(schema.properties) ? 'object' : undefined)
}

function number({ minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf }: Json): number {
  if (typeof minimum === 'number') return minimum
  if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + 1
  if (typeof multipleOf === 'number') return multipleOf
  if (typeof maximum === 'number') return Math.min(1, maximum)
  return typeof exclusiveMaximum === 'number' ? Math.min(1, exclusiveMaximum - 1) : 1
}

function words({ format, minLength, maxLength }: Json, text: () => string): string {
  const known = typeof format === 'string' ? FORMATS[format] : undefined
  if (known) return known
  const said = text()
  return said.padEnd(Number(minLength ?? 0), '.').slice(0, Number(maxLength ?? Number.POSITIVE_INFINITY))
}
