/** What a third party may have written, on one line of a terminal: blanks in a row are one, control characters are named. */
export const printable = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .trim()

/** What a third party may have written, line by line and each marked, so that none of it stands where our own words do. */
export const quoted = (text: string): string[] =>
  text.split(/\r\n|[\r\n]/).map((line) => `| ${printable(line)}`.trimEnd())
