import type { Aliases } from './aliases.ts'
import { wordsOf } from './words.ts'

/** Two or three words joined by hyphens, which others write as one; what is joined further is a path. */
const HYPHENATED = /(?<![a-z0-9-])[a-z0-9]{1,16}-[a-z0-9]{1,16}(?:-[a-z0-9]{1,16})?(?![a-z0-9-])/gi
/** So many digits are a number of somebody's, that nobody writes in another way. */
const NUMBER = /\d{5}/

/**
 * All by which a text is found: its words in their order, then what it says in other words: labels of aliases, and
 * `onchain` for `on-chain`.
 */
export function documentWords(text: string, aliases: Aliases): string[] {
  const words = wordsOf(text)
  const said = aliases.in(words)
  const joined = text.includes('-') ? (text.match(HYPHENATED) ?? []) : []
  if (said.length === 0 && joined.length === 0) return words
  const more = new Set(said.map(({ label }) => label))
  for (const one of joined) if (!NUMBER.test(one)) more.add(one.replaceAll('-', '').toLowerCase())
  words.push(...more)
  return words
}
