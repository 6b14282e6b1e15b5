import type { Sent } from './emitter.ts'

/** A settlement as an indexer recorded it; addresses in any case. */
export interface Row {
  /** Absent where the indexer reads transfers only. */
  readonly nonce?: string
  readonly payer: string
  readonly payTo: string
  readonly amount: string
}

/** How many payments are missing, duplicated, or not as they were sent. Every payment has a unique amount. */
export function differences(sent: readonly Sent[], rows: readonly Row[]): number {
  const open = new Map(sent.map((one) => [one.amount.toString(), one]))
  let wrong = 0
  for (const row of rows) {
    const expected = open.get(row.amount)
    open.delete(row.amount)
    const matches =
      expected &&
      expected.payer.toLowerCase() === row.payer.toLowerCase() &&
      expected.payTo.toLowerCase() === row.payTo.toLowerCase() &&
      (row.nonce === undefined || row.nonce === expected.nonce)
    if (!matches) wrong += 1
  }
  return wrong + open.size
}
