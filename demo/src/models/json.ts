/** A JSON object of a request, whose members are still to be looked at. */
export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The objects of an array; none when it is no array. */
export const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The strings of an array, or a lone string as the only one. */
export const strings = (value: unknown): readonly string[] =>
  [value].flat().filter((member): member is string => typeof member === 'string')

/** The member as an object; an empty one when it is anything else. */
export const member = (value: unknown, name: string): Json => {
  const found = isObject(value) ? value[name] : undefined
  return isObject(found) ? found : {}
}

export const string = (value: unknown): string => (typeof value === 'string' ? value : '')
