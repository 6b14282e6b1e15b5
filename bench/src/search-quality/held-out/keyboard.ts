const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']
/** How far to the right of the row above a row starts, in keys. */
const SHIFTS = [0, 0.25, 0.75]
const LEFT_HAND = new Set('qwertasdfgzxcvb')
const SHORTEST = 4

/** The neighbours of each key, on the most common keyboard layout. */
const NEXT = new Map(
  placed().map(({ key, x, y }) => [
    key,
    placed()
      .filter((other) => other.key !== key && Math.abs(other.y - y) <= 1 && Math.abs(other.x - x) <= 1)
      .map((other) => other.key),
  ]),
)

function placed() {
  return ROWS.flatMap((row, y) => [...row].map((key, place) => ({ key, x: place + (SHIFTS[y] ?? 0), y })))
}

/**
 * Types a query as hurried hands do: a neighbouring key, one skipped, struck twice or swapped with the next, two hands
 * out of step, or a missed space bar. One slip, in a word of four letters or more.
 * @param random numbers from 0 to 1
 */
export function slipped(q: string, random: () => number): string {
  const words = q.split(' ')
  if (words.length > 1 && random() < 0.1) return missedSpace(words, random)
  const long = words.flatMap((word, place) => (/^[a-z]{4,}$/.test(word) ? [place] : []))
  const place = long[Math.floor(random() * long.length)]
  if (place === undefined) throw new Error(`"${q}" has no word of ${SHORTEST} letters`)
  return words.map((word, at) => (at === place ? slip(word, random) : word)).join(' ')
}

function missedSpace(words: readonly string[], random: () => number): string {
  const at = 1 + Math.floor(random() * (words.length - 1))
  return `${words.slice(0, at).join(' ')}${words.slice(at).join(' ')}`
}

/** The first letter is rarely wrong: the hand has time before it. */
function slip(word: string, random: () => number): string {
  const at = random() < 0.08 ? 0 : 1 + Math.floor(random() * (word.length - 1))
  const key = word.charAt(at)
  const [before, after] = [word.slice(0, at), word.slice(at + 1)]
  const near = NEXT.get(key) ?? []
  const beside = near[Math.floor(random() * near.length)] ?? key
  const drawn = random()
  if (drawn < 0.3) return `${before}${beside}${after}`
  if (drawn < 0.5) return `${before}${after}`
  if (drawn < 0.6) return `${before}${key}${key}${after}`
  if (drawn < 0.72) return `${before}${key}${beside}${after}`
  return outOfStep(word, at, random)
}

/** Swaps two letters, most often where one hand waits for the other. */
function outOfStep(word: string, near: number, random: () => number): string {
  const pairs = [...word.slice(0, -1)].flatMap((key, at) => (key === word.charAt(at + 1) ? [] : [at]))
  const across = pairs.filter((at) => LEFT_HAND.has(word.charAt(at)) !== LEFT_HAND.has(word.charAt(at + 1)))
  const among = across.length > 0 && random() < 0.8 ? across : pairs
  const at = among.toSorted((a, b) => Math.abs(a - near) - Math.abs(b - near))[0] ?? 0
  return `${word.slice(0, at)}${word.charAt(at + 1)}${word.charAt(at)}${word.slice(at + 2)}`
}
