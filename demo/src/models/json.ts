/** A JSON object of a request, whose members are not yet validated. */
export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The objects in an array; none if it is not an array. */
export const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The strings in an array, or a single string as the only one. */
export const strings = (value: unknown): readonly string[] =>
  [value].flat().filter((member): member is string => typeof member === 'string')

/** The member as an object; an empty one if it is anything else. */
export const member = (value: unknown, name: string): Json => {
  const found = isObject(value) ? value[name] : undefined
  return isObject(found) ? found : {}
}

export const string = (value: unknown): string => (typeof value === 'string' ? value : '')
