type Schema = Readonly<Record<string, unknown>>

const MAX_DEPTH = 6
const MAX_CHARACTERS = 8 * 1024

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const TEXT_BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  email: 'probe@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/**
 * The smallest JSON body that an input schema lets pass, for validators that stand before a paywall: what the schema
 * gives as const, example, default or enum, and otherwise the required members by type. `{}` where nothing is known.
 */
export function sampleInput(schema: Schema | undefined): string {
  const text = schema ? JSON.stringify(sample(schema, 0)) : '{}'
  return text !== undefined && text.length <= MAX_CHARACTERS ? text : '{}'
}

function sample(schema: Schema, depth: number): unknown {
  const given = [schema.const, first(schema.examples), schema.example, schema.default, first(schema.enum)]
  const value = given.find((one) => one !== undefined)
  if (value !== undefined) return value
  const type = first(schema.type) ?? (isObject(schema.properties) ? 'object' : 'string')
  if (type === 'object') return depth < MAX_DEPTH ? sampleObject(schema, depth) : {}
  if (type === 'array') {
    const wanted = Number(schema.minItems) > 0 && isObject(schema.items) && depth < MAX_DEPTH
    return wanted ? [sample(schema.items as Schema, depth + 1)] : []
  }
  if (type === 'number' || type === 'integer') return typeof schema.minimum === 'number' ? schema.minimum : 1
  if (type === 'boolean') return true
  if (type === 'null') return null
  return TEXT_BY_FORMAT[String(schema.format)] ?? 'probe'.padEnd(Math.min(Number(schema.minLength) || 0, 256), '-')
}

function sampleObject({ properties, required }: Schema, depth: number): Record<string, unknown> {
  const members = isObject(properties) ? properties : {}
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  return Object.fromEntries(
    names.map((name) => {
      const member = Object.hasOwn(members, name) ? members[name] : undefined
      return [name, sample(isObject(member) ? member : {}, depth + 1)]
    }),
  )
}

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)
