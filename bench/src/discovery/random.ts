/** Numbers from 0 to 1 that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Draws ranks from 0 on with falling frequency, like words in a language. */
export function zipf(ranks: number, exponent: number, random: () => number): () => number {
  const upTo = new Float64Array(ranks)
  let sum = 0
  for (let rank = 0; rank < ranks; rank += 1) {
    sum += 1 / (rank + 1) ** exponent
    upTo[rank] = sum
  }
  return () => {
    const drawn = random() * sum
    let low = 0
    let high = ranks - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((upTo[middle] ?? sum) < drawn) low = middle + 1
      else high = middle
    }
    return low
  }
}

const CONSONANTS = 'bcdfghjklmnprstvz'
const VOWELS = 'aeiou'

/** Distinct pronounceable words. */
export function vocabulary(size: number, random: () => number): string[] {
  const pick = (letters: string) => letters.charAt(Math.floor(random() * letters.length))
  const words = new Set<string>()
  while (words.size < size) {
    const syllables = 2 + Math.floor(random() * 3)
    words.add(Array.from({ length: syllables }, () => pick(CONSONANTS) + pick(VOWELS)).join(''))
  }
  return [...words]
}
