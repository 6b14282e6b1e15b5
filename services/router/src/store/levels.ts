/**
 * The limits that bound a call: for compute, the day of the owner, the link and the key; for a balance, the balance and
 * the key's day; for a Compute key that draws on a balance, what its own calls paid into it.
 */
export type Level = 'owner' | 'link' | 'key' | 'balance' | 'paid_in'

/** A level as read by a statement, in nano-USD; a null limit means none. */
export interface LevelRow {
  readonly level: Level
  readonly limit: string | null
  readonly spent: string
  readonly held: string
}

/** A level with a limit. */
export interface Bound {
  readonly level: Level
  /** The most that a further call may cost; never below zero, even if the limit was lowered. */
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
