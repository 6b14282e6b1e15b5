/** Escapes that Postgres stores in no jsonb: NUL, and halves of surrogate pairs. */
const NOT_STORABLE = /\\u(0000|d[89a-f])/i

/** A stranger's text, ready to store and show: whole characters without NUL, cut to a length. */
export const cleanText = (text: string, maxCharacters: number): string =>
  text.slice(0, maxCharacters).replaceAll('\0', '').toWellFormed()

/** A stranger's object as it is, or undefined when it is too long or cannot be stored. */
export function cleanObject(
  value: Record<string, unknown> | undefined,
  maxCharacters: number,
): Record<string, unknown> | undefined {
  if (value === undefined) return undefined
  const text = JSON.stringify(value)
  return text.length <= maxCharacters && !NOT_STORABLE.test(text) ? value : undefined
}
