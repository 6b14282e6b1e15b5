/** Random choices that the same seed repeats. */
export interface Random {
  /** A number in [0, 1). */
  next(): number
  /** A whole number in [0, below). */
  below(below: number): number
  pick<T>(from: readonly T[]): T
  shuffled<T>(all: readonly T[]): T[]
}

/** Marsaglia's 32-bit xorshift: good enough to shuffle, and the same on every platform. */
export function seeded(seed: number): Random {
  let state = seed | 0 || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    pick(from) {
      const one = from[below(from.length)]
      if (one === undefined) throw new Error('There is nothing to pick from')
      return one
    },
    shuffled(all) {
      const order = [...all]
      for (let at = order.length - 1; at > 0; at -= 1) {
        const other = below(at + 1)
        ;[order[at], order[other]] = [order[other] as never, order[at] as never]
      }
      return order
    },
  }
}
