import { isLoneCharacter, wordsOf } from '../words/words.ts'

/** One thing that has to be there, or must not: a word, or several that follow each other. */
export interface Term {
  readonly words: readonly string[]
  /** The term must not be there. */
  readonly isExcluded: boolean
}

/** A word that may be there: the more of them, the better. */
export interface LooseWord {
  readonly word: string
  /** The word may go on. */
  readonly isPrefix: boolean
}

/** One of the alternatives that `or` divides. */
export interface Clause {
  readonly terms: readonly Term[]
  readonly words: readonly LooseWord[]
}

/** What a query asks for: one of these. Empty: it holds no word, and everything is asked for. */
export type SearchQuery = readonly Clause[]

/** Minus signs, then a quoted text, or what stands between blanks and the characters that cannot be searched for. */
const OPERAND = /((?:-[\s!&|():]*)*)(?:"([^"]*)"?|([^\s"!&|():]+))/gy
const BETWEEN = /[\s!&|():]*/gy
/** `or` between two operands; at the beginning and at the end it is a word. */
const OR = /or(?![-_\p{L}\p{M}\p{N}])(?=.\s*\S)/giuy

interface Reading {
  readonly terms: Term[]
  readonly words: LooseWord[]
}

/**
 * Reads web search syntax: `"a phrase"`, `or`, `-not this`; no input is an error. What is quoted has to be there as it
 * stands, and what is excluded must not; any other word may be there. The last word of a query may still be being typed
 * and is taken as a prefix, unless it is quoted or excluded.
 * @param q made by `plainQuery`
 */
export function readQuery(q: string): SearchQuery {
  const clauses: Reading[] = [{ terms: [], words: [] }]
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(q)
    if (match) at = pattern.lastIndex
    return match
  }
  let isFirst = true
  let endsInPrefix = false
  for (take(BETWEEN); at < q.length; take(BETWEEN)) {
    if (!isFirst && take(OR)) {
      clauses.push({ terms: [], words: [] })
      take(BETWEEN)
    }
    const operand = take(OPERAND)
    if (!operand) break
    isFirst = false
    const [, minuses = '', quoted, plain] = operand
    const words = wordsOf(quoted ?? plain ?? '')
    const isExcluded = minuses.replace(/[^-]/g, '').length % 2 === 1
    const isLoose = plain !== undefined && !isExcluded
    const clause = clauses.at(-1)
    if (isLoose) clause?.words.push(...words.map((word) => ({ word, isPrefix: isLoneCharacter(word) })))
    else if (words.length > 0) clause?.terms.push({ words, isExcluded })
    endsInPrefix = isLoose && (words.length > 0 || endsInPrefix)
  }
  const known = clauses.filter(({ terms, words }) => terms.length > 0 || words.length > 0)
  const last = known.at(-1)?.words.at(-1)
  if (endsInPrefix && last) known.at(-1)?.words.splice(-1, 1, { ...last, isPrefix: true })
  return known
}

/** False for a query that can be answered by what is absent alone: it says nothing of names, so its hits are all alike. */
export const saysWhatIs = (query: SearchQuery): boolean =>
  query.length > 0 && query.every(({ terms, words }) => words.length > 0 || terms.some(({ isExcluded }) => !isExcluded))
