import { z } from 'zod'

type Schema = Readonly<Record<string, unknown>>

/** Text, or a value passed on as text; maps and lists become JSON. */
export const ANY_SETTING: Schema = { type: ['string', 'number', 'boolean', 'object', 'array'] }

/**
 * What the values may contain for a setting, as far as a schema can tell: bounds of whole numbers, enumerations,
 * addresses (which YAML parses as numbers without quotes) and URLs. The service validates the rest when it starts. An
 * empty text counts as absent.
 */
export function settingSchema(field: z.ZodType): Schema {
  const { type, minimum, maximum, ...more } = z.toJSONSchema(field, { io: 'output', unrepresentable: 'any' })
  const orEmpty = (pattern: string) => (field.safeParse(undefined).success ? `^$|${pattern}` : pattern)
  if (type === 'integer') return { type: ['integer', 'string'], minimum, maximum, pattern: orEmpty('^[0-9]+$') }
  if (type !== 'string') return ANY_SETTING
  if (more.enum) return { enum: ['', ...more.enum] }
  if (more.format === 'uri') return { type, pattern: orEmpty('^[a-z][a-z0-9+.-]*://.+$') }
  if (more.pattern?.startsWith('^0x')) return { type, pattern: orEmpty(more.pattern) }
  return ANY_SETTING
}
