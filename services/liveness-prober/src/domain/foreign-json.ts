import { shownPartOf } from '@callboard/values'

/** Escapes that Postgres cannot store in jsonb: NUL, and halves of surrogate pairs. */
const NOT_STORABLE = /\\u(0000|d[89a-f])/i

/**
 * A third party's text, ready to store and show: cut to a length, without misleading or invisible characters. It is
 * normalized before the cut, since that can turn one character into two; of a long text only its beginning, since marks
 * in a row are put in order one by one.
 */
export const cleanText = (text: string, maxCharacters: number): string =>
  shownPartOf(
    text
      .slice(0, 4 * maxCharacters)
      .normalize()
      .slice(0, maxCharacters),
    'paragraphs',
  )

/** Text on one line without control characters, direction marks and angle brackets, cut; undefined if empty. */
export function plainText(value: unknown, maxCharacters: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value
    .replace(/[\p{Cc}\p{Cf}\s<>]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters)
    .toWellFormed()
  return text === '' ? undefined : text
}

/** A third party's object unchanged, or undefined if it is too long or cannot be stored. */
export function cleanObject(
  value: Record<string, unknown> | undefined,
  maxCharacters: number,
): Record<string, unknown> | undefined {
  if (value === undefined) return undefined
  const text = JSON.stringify(value)
  return text.length <= maxCharacters && !NOT_STORABLE.test(text) ? value : undefined
}
