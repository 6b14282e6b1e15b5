/**
 * What bounds a call: for compute the owner's, the link's and the key's day, for a balance the balance and the key's day, and
 * for a key of Compute that draws on a balance what its own calls paid into it.
 */
export type Level = 'owner' | 'link' | 'key' | 'balance' | 'paid_in'

/** A level as a statement reads it: nano-USD, a limit of null is none. */
export interface LevelRow {
  readonly level: Level
  readonly limit: string | null
  readonly spent: string
  readonly held: string
}

/** A level with a limit. */
export interface Bound {
  readonly level: Level
  /** What a further call may cost at most; never below zero, which a limit that was lowered would make it. */
  readonly left: bigint
  /** Held by calls in flight. */
  readonly inFlight: bigint
}

/** The levels that have a limit. */
export const boundsOf = (rows: readonly LevelRow[]): Bound[] =>
  rows.flatMap(({ level, limit, spent, held }) => {
    if (limit === null) return []
    const left = BigInt(limit) - BigInt(spent) - BigInt(held)
    return [{ level, left: left < 0n ? 0n : left, inFlight: BigInt(held) }]
  })
