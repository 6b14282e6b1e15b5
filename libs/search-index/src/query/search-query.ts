import { wordsOf } from '../words/words.ts'

/** One thing that a query asks for: a word, or several that follow each other. */
export interface Term {
  readonly words: readonly string[]
  /** The last of the words may go on. */
  readonly isPrefix: boolean
  /** The term must not be there. */
  readonly isExcluded: boolean
}

/** What a query asks for: all terms of one of these. Empty: it holds no word, and everything is asked for. */
export type SearchQuery = readonly (readonly Term[])[]

/** Minus signs, then a quoted text, or what stands between blanks and the characters that cannot be searched for. */
const OPERAND = /((?:-[\s!&|():]*)*)(?:"([^"]*)"?|([^\s"!&|():]+))/gy
const BETWEEN = /[\s!&|():]*/gy
/** `or` between two operands; at the beginning and at the end it is a word. */
const OR = /or(?![-_\p{L}\p{M}\p{N}])(?=.\s*\S)/giuy

/**
 * Reads web search syntax as Postgres does in `websearch_to_tsquery`: `"a phrase"`, `or`, `-not this`; no input is an
 * error. What punctuation joins (`a.example/b`) is asked for as a phrase. The last word of a query may still be being
 * typed and is taken as a prefix, unless it is quoted or excluded.
 * @param q made by `plainQuery`
 */
export function readQuery(q: string): SearchQuery {
  const anyOf: Term[][] = [[]]
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
      anyOf.push([])
      take(BETWEEN)
    }
    const operand = take(OPERAND)
    if (!operand) break
    isFirst = false
    const [, minuses = '', quoted, plain] = operand
    const words = wordsOf(quoted ?? plain ?? '')
    const isExcluded = minuses.replace(/[^-]/g, '').length % 2 === 1
    if (words.length > 0) anyOf.at(-1)?.push({ words, isPrefix: false, isExcluded })
    endsInPrefix = plain !== undefined && !isExcluded && (words.length > 0 || endsInPrefix)
  }
  const known = anyOf.filter((terms) => terms.length > 0)
  return endsInPrefix ? withPrefix(known) : known
}

/** The query with its last word as a prefix. */
const withPrefix = (anyOf: readonly (readonly Term[])[]): SearchQuery =>
  anyOf.map((terms, group) =>
    group < anyOf.length - 1
      ? terms
      : terms.map((term, index) => (index < terms.length - 1 ? term : { ...term, isPrefix: true })),
  )

/** False for a query that can be answered by what is absent alone: it says nothing of names, so it has no tiers. */
export const saysWhatIs = (query: SearchQuery): boolean =>
  query.length > 0 && query.every((terms) => terms.some(({ isExcluded }) => !isExcluded))
