/** Longer words are cut; a query is never longer. */
const MAX_WORD = 200
const ASCII = /^[\0-\x7f]*$/
const ASCII_WORD = /[a-z0-9]+/g
const WORD = /[\p{L}\p{M}\p{N}]+/gu

/**
 * The words of a text in their order: runs of letters, marks and digits in lower case, without stemming. Whatever else
 * stands in the text divides words, so a URL is the words of its host and of its path.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = text.toLowerCase().match(ASCII.test(text) ? ASCII_WORD : WORD) ?? []
  return words.some((word) => word.length > MAX_WORD) ? words.map((word) => word.slice(0, MAX_WORD)) : words
}
