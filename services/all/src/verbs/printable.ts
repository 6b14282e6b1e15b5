/** Characters that a terminal acts on or hides: controls, formats, foreign line ends, private use, lone surrogates. */
const UNSHOWN = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]`
const ALL_UNSHOWN = new RegExp(UNSHOWN, 'gu')
/** A line end in formatted JSON is ours: one within a text is escaped. */
const UNSHOWN_IN_JSON = new RegExp(String.raw`(?!\n)${UNSHOWN}`, 'gu')

/** Names a character by its UTF-16 units, as in JSON. */
const named = (one: string): string =>
  one
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** Text of a third party as one line for a terminal: consecutive blanks become one, control characters are named. */
export const printable = (text: string): string => text.replace(/\s+/g, ' ').replace(ALL_UNSHOWN, named).trim()

/** Text of a third party, with each line marked, so that none of it can pass for our own output. */
export const quoted = (text: string): string[] =>
  text.split(/\r\n|[\r\n]/).map((line) => `| ${printable(line)}`.trimEnd())

/**
 * Data of a third party as equivalent JSON: `JSON.stringify` only escapes controls up to U+001F, and a terminal acts on
 * others too.
 */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(UNSHOWN_IN_JSON, named)
