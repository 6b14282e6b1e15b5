import { sorted } from './sorting.ts'

const BITS = 11
const DIGITS = 2 ** BITS
const HALF = 2 ** 32
/** Up to this many equal things are sorted in one go. */
const FEW = 2_000

/**
 * Sorts things by whole numbers from 0 up to 2^53, and those with equal numbers by `compareAlike`. Sorts digit by digit
 * by counting, which takes no comparisons.
 * @param yieldToEventLoop awaited now and then
 * @source Knuth, The Art of Computer Programming 3, 5.2.5: algorithm R, radix sort
 */
export async function sortedByNumber<Thing>(
  things: readonly Thing[],
  numberOf: (thing: Thing) => number,
  compareAlike: (a: Thing, b: Thing) => number,
  yieldToEventLoop: () => Promise<unknown>,
): Promise<readonly Thing[]> {
  const low = new Uint32Array(things.length)
  const high = new Uint32Array(things.length)
  for (const [index, thing] of things.entries()) {
    const number = numberOf(thing)
    low[index] = number % HALF
    high[index] = number / HALF
  }
  let order: Uint32Array = Uint32Array.from(things.keys())
  for (const half of [low, high]) {
    const most = half.reduce((most, one) => Math.max(most, one), 0)
    for (let shift = 0; shift < 32 && most >>> shift > 0; shift += BITS) {
      await yieldToEventLoop()
      order = byDigit(order, half, shift)
    }
  }
  const byNumber = Array.from(order, (index) => things[index] as Thing)
  for (let from = 0, to = 0; from < order.length; from = to) {
    const [lowHere, highHere] = [low[order[from] ?? 0], high[order[from] ?? 0]]
    for (to = from + 1; to < order.length; to += 1) {
      const index = order[to] ?? 0
      if (low[index] !== lowHere || high[index] !== highHere) break
    }
    if (to - from === 1) continue
    const alike = byNumber.slice(from, to)
    const inOrder = alike.length <= FEW ? alike.sort(compareAlike) : await sorted(alike, compareAlike, yieldToEventLoop)
    for (const [index, thing] of inOrder.entries()) byNumber[from + index] = thing
  }
  return byNumber
}

/** The same indexes sorted by one digit of their numbers; those with equal digits keep their order. */
function byDigit(order: Uint32Array, numbers: Uint32Array, shift: number): Uint32Array {
  const digitOf = (index: number) => ((numbers[index] ?? 0) >>> shift) & (DIGITS - 1)
  const starts = new Uint32Array(DIGITS + 1)
  for (let at = 0; at < order.length; at += 1) {
    const after = digitOf(at) + 1
    starts[after] = (starts[after] ?? 0) + 1
  }
  for (let digit = 0; digit < DIGITS; digit += 1) starts[digit + 1] = (starts[digit + 1] ?? 0) + (starts[digit] ?? 0)
  const next = new Uint32Array(order.length)
  for (let at = 0; at < order.length; at += 1) {
    const index = order[at] ?? 0
    const digit = digitOf(index)
    const to = starts[digit] ?? 0
    next[to] = index
    starts[digit] = to + 1
  }
  return next
}
