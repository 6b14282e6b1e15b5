import type { Address } from '@callboard/values'

/** What a payer's earlier payments say of the next one. */
export interface PayerStanding {
  /** Base units that his payments on their way move. */
  readonly reserved: bigint
  /** His payments that lately came to nothing after they were sent. */
  readonly reverts: number
}

export interface Wish {
  readonly payer: Address
  readonly amount: bigint
  /** What the payer held when the payment was verified. */
  readonly balance: bigint
}

/** `goes` it is signed now · `waits` for the payer's other payments · `refused` he has cost us too much gas. */
export type Admittance = 'goes' | 'waits' | 'refused'

/**
 * Which payments of a moment may be signed. What a payer's unfinished payments move is counted as gone already, those
 * admitted before him in this very list among them.
 */
export function admitPayers(
  wishes: readonly Wish[],
  standings: ReadonlyMap<Address, PayerStanding>,
  mostReverts: number,
): Admittance[] {
  const reserved = new Map<Address, bigint>()
  return wishes.map(({ payer, amount, balance }) => {
    const standing = standings.get(payer)
    const gone = reserved.get(payer) ?? standing?.reserved ?? 0n
    if (balance < gone + amount) return 'waits'
    if ((standing?.reverts ?? 0) >= mostReverts) return 'refused'
    reserved.set(payer, gone + amount)
    return 'goes'
  })
}
