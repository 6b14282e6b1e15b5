import type { Address } from '@callboard/values'

/** No facts are used that are older than this. */
const FORGET_MS = 90_000
const MANY = 10_000

/**
 * When a payer was last debited, as this process recorded it. A balance read earlier may still include the money,
 * although the payment no longer counts as unfinished. Other processes do not know of it: that can cost us the gas of
 * one reverting transaction, never money.
 */
export class RecentDebits {
  /** By this process's clock, in milliseconds; in insertion order. */
  readonly #last = new Map<Address, number>()

  /** Call before the debit is stored. */
  note(payers: Iterable<Address>): void {
    const now = performance.now()
    for (const payer of payers) {
      this.#last.delete(payer)
      this.#last.set(payer, now)
    }
    if (this.#last.size <= MANY) return
    for (const [payer, at] of this.#last) {
      if (now - at < FORGET_MS) break
      this.#last.delete(payer)
    }
  }

  /** Whether the payer was debited since a balance was read. */
  since(payer: Address, askedAt: number): boolean {
    return (this.#last.get(payer) ?? Number.NEGATIVE_INFINITY) >= askedAt
  }
}
