import { isLoneCharacter, wordsOf } from '../words/words.ts'

/** Something that must be there, or must not: a word, or several in sequence. */
export interface Term {
  readonly words: readonly string[]
  /** Whether the term must not be there. */
  readonly isExcluded: boolean
}

/** An optional word: the more of them a document has, the better. */
export interface LooseWord {
  readonly word: string
  /** Whether the word may continue. */
  readonly isPrefix: boolean
}

/** One of the alternatives that `or` separates. */
export interface Clause {
  readonly terms: readonly Term[]
  readonly words: readonly LooseWord[]
}

/** A query: a document must match one of these clauses. If empty, the query has no word and asks for everything. */
export type SearchQuery = readonly Clause[]

/** Minus signs, then a quoted text, or a run without blanks and without characters that cannot be searched for. */
const OPERAND = /((?:-[\s!&|():]*)*)(?:"([^"]*)"?|([^\s"!&|():]+))/gy
const BETWEEN = /[\s!&|():]*/gy
/** `or` between two operands; at the beginning or the end it is a word. */
const OR = /or(?![-_\p{L}\p{M}\p{N}])(?=.\s*\S)/giuy

interface Reading {
  readonly terms: Term[]
  readonly words: LooseWord[]
}

/**
 * Reads web search syntax: `"a phrase"`, `or`, `-not this`; no input is an error. A quoted text must occur as written,
 * an excluded one must not; any other word is optional. Equal alternatives and terms are one. The last word of a query may still
 * be incomplete and is read as a prefix, unless it is quoted or excluded.
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
  return distinct(known.map(({ terms, words }) => ({ terms: distinct(terms), words })))
}

/** Equal clauses find the same, and so do equal terms, and each is looked for on its own. */
function distinct<One>(all: readonly One[]): One[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
}

/** False for a query with a clause of exclusions only: it says nothing about names, so its hits are all alike. */
export const saysWhatIs = (query: SearchQuery): boolean =>
  query.length > 0 && query.every(({ terms, words }) => words.length > 0 || terms.some(({ isExcluded }) => !isExcluded))
