/** Shorter parts occur in almost anything. */
const LEAST_LETTERS = 3
/** More parts are not just missing spaces. */
const MOST_PARTS = 3
/** Longer strings are not words. */
const MOST_LETTERS = 48

interface Division {
  readonly parts: readonly string[]
  /** How many documents have the rarest part. */
  readonly having: number
}

/**
 * The known words that a word is made of: `weatherforecast` is `weather` and `forecast`. Of several divisions, the one
 * with the fewest parts; among equals, the one whose rarest part is in most documents.
 * @param havingOf how many documents have a word; 0 for an unknown one
 * @returns empty if there is no such division
 */
export function partsOf(word: string, havingOf: (part: string) => number): readonly string[] {
  const length = word.length
  if (length > MOST_LETTERS) return []
  /** For each place in the word, the best divisions of the letters before it, by the number of parts. */
  const best: (Division | undefined)[][] = Array.from({ length: length + 1 }, () => [])
  best[0] = [{ parts: [], having: Number.POSITIVE_INFINITY }]
  for (let from = 0; from <= length - LEAST_LETTERS; from += 1) {
    if (best[from]?.every((division) => !division)) continue
    for (let to = from + LEAST_LETTERS; to <= length; to += 1) {
      const part = word.slice(from, to)
      const having = havingOf(part)
      if (having === 0) continue
      for (const [count, before] of best[from]?.entries() ?? []) {
        if (!before || count === MOST_PARTS) continue
        const division = { parts: [...before.parts, part], having: Math.min(before.having, having) }
        const row = best[to] ?? []
        if ((row[count + 1]?.having ?? 0) < division.having) row[count + 1] = division
      }
    }
  }
  return best[length]?.find((division) => division !== undefined && division.parts.length > 1)?.parts ?? []
}
