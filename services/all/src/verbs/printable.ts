/** What a terminal acts on, or shows as if it were not there: controls, formats, line ends beside our own, private use, halves of pairs. */
const UNSHOWN = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]`
const ALL_UNSHOWN = new RegExp(UNSHOWN, 'gu')
/** A line end of JSON that is laid out is ours: one within a text is escaped. */
const UNSHOWN_IN_JSON = new RegExp(String.raw`(?!\n)${UNSHOWN}`, 'gu')

/** By its UTF-16 units, as JSON names it. */
const named = (one: string): string =>
  one
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** What a third party may have written, on one line of a terminal: blanks in a row are one, control characters are named. */
export const printable = (text: string): string => text.replace(/\s+/g, ' ').replace(ALL_UNSHOWN, named).trim()

/** What a third party may have written, line by line and each marked, so that none of it stands where our own words do. */
export const quoted = (text: string): string[] =>
  text.split(/\r\n|[\r\n]/).map((line) => `| ${printable(line)}`.trimEnd())

/**
 * What a third party may have written, as the same JSON: `JSON.stringify` escapes controls up to U+001F alone, and there are others that
 * a terminal acts on.
 */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(UNSHOWN_IN_JSON, named)
