import type { Address } from '@callboard/values'

/** Facts are never used for so long. */
const FORGET_MS = 90_000
const MANY = 10_000

/**
 * When a payer was last debited, as this process recorded it. A balance that was read before that may hold the money still,
 * although the payment no longer counts as unfinished. Another process does not know of it: that can cost us the gas of one
 * transaction that reverts, and never money.
 */
export class RecentDebits {
  /** By the process's own clock, in milliseconds; in the order of noting. */
  readonly #last = new Map<Address, number>()

  /** To be called before the debit is stored. */
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
