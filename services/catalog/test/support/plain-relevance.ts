import { floorOf, tierOf, weightOf } from '@callboard/search-index'

/** The words of a document, in their order. */
export interface PlainDocument {
  readonly name: readonly string[]
  readonly more: readonly string[]
}

/** One alternative of a query: required phrases, excluded ones, and optional words, the last of which may continue. */
export interface PlainClause {
  readonly phrases: readonly (readonly string[])[]
  readonly excluded: readonly (readonly string[])[]
  readonly words: readonly string[]
  readonly endsInPrefix: boolean
}

const has = (text: readonly string[], phrase: readonly string[]) =>
  ` ${text.join(' ')} `.includes(` ${phrase.join(' ')} `)

/**
 * The tier of every document by the documented rule, without any index: the document's share of the words' weights, 20
 * parts for a word in its name and 17 elsewhere, 18 and 15 where it only begins like a known word. Words have no common
 * stems and no aliases here.
 */
export function plainTiers<Document extends PlainDocument>(
  documents: readonly Document[],
  clauses: readonly PlainClause[],
): Map<Document, number> {
  const textOf = ({ name, more }: Document) => [...name, ...more]
  const having = (word: string) => documents.filter((one) => textOf(one).includes(word)).length
  const known = [...new Set(documents.flatMap(textOf))]
  const weigh = (count: number) => weightOf(Math.min(count, documents.length), documents.length)
  const tiers = new Map<Document, number>()
  if (clauses.length === 0) return new Map(documents.map((one) => [one, 0]))
  const isOnlyAbsence = clauses.some(({ phrases, words }) => phrases.length + words.length === 0)
  for (const { phrases, excluded, words, endsInPrefix } of clauses) {
    type Parts = { weight: number; pointsOf: (one: Document) => number }
    const ofPhrases = distinctPhrases(phrases).map(
      (phrase): Parts => ({
        weight: weigh(Math.min(...phrase.map(having))),
        pointsOf: (one) => (has(one.name, phrase) ? 20 : 17),
      }),
    )
    const ofWords = [...new Set(words)].flatMap((word): Parts[] => {
      const isPrefix = endsInPrefix && words.indexOf(word) === words.length - 1
      const going = known.filter((one) => (isPrefix ? one.startsWith(word) : one === word))
      const full = going.includes(word) ? [word] : going
      if (going.length === 0) return []
      const pointsIn = (text: readonly string[], whole: number, begun: number) =>
        full.some((one) => text.includes(one)) ? whole : going.some((one) => text.includes(one)) ? begun : 0
      return [
        {
          weight: weigh(full.reduce((sum, one) => sum + having(one), 0)),
          pointsOf: (one) => Math.max(pointsIn(one.name, 20, 18), pointsIn(textOf(one), 17, 15)),
        },
      ]
    })
    const parts = [...ofPhrases, ...ofWords]
    if (parts.length === 0 && words.length > 0) continue
    const total = parts.reduce((sum, { weight }) => sum + 20 * weight, 0)
    // No phrase continues from the name into the text.
    const hasAnywhere = (one: Document) => (phrase: readonly string[]) => has(one.name, phrase) || has(one.more, phrase)
    for (const one of documents) {
      if (!phrases.every(hasAnywhere(one)) || excluded.some(hasAnywhere(one))) continue
      const points = parts.reduce((sum, { weight, pointsOf }) => sum + weight * pointsOf(one), 0)
      if (points === 0 && parts.length > 0) continue
      const tier = isOnlyAbsence ? 0 : tierOf(Math.floor((points * 1_000) / total))
      tiers.set(one, Math.min(tier, tiers.get(one) ?? tier))
    }
  }
  return tiers
}

const distinctPhrases = (phrases: readonly (readonly string[])[]) => [
  ...new Map(phrases.map((phrase) => [phrase.join(' '), phrase])).values(),
]

/**
 * The results among some tiers: those not too far below the best, and, as the rest that follows them, those that are
 * vouched for and not too far below the best of these.
 */
export function plainResults<Document>(
  tiers: ReadonlyMap<Document, number>,
  isShown: (one: Document) => boolean,
  isVouchedFor: (one: Document) => boolean,
) {
  const shown = [...tiers].filter(([one]) => isShown(one))
  const floorAmong = (some: typeof shown) => floorOf(Math.min(...some.map(([, tier]) => tier)))
  const floor = floorAmong(shown)
  const vouchedFloor = floorAmong(shown.filter(([one]) => isVouchedFor(one)))
  return shown
    .filter(([one, tier]) => tier <= floor || (isVouchedFor(one) && tier <= vouchedFloor))
    .map(([one, tier]) => ({ one, tier, isRest: tier > floor }))
}
