import { coalesce } from '@callboard/runtime'
import type { Hex } from '@callboard/values'
import { findTransactions } from '../../store/lane.repository.ts'
import type { FacilitatorDb, LaneTransaction } from '../../store/tables.ts'

/** Transactions kept in this process until they are sent. */
const KEPT = 1_000
/** Rows per statement. */
const ROWS = 500

/** Signed, stored transactions by hash. One that this process stored is not read back to be sent. */
export class StoredTransactions {
  readonly #read: (hash: Hex) => Promise<LaneTransaction | undefined>
  readonly #kept = new Map<Hex, LaneTransaction>()

  constructor(db: FacilitatorDb) {
    this.#read = coalesce(
      async (hashes: readonly Hex[]) => {
        const found = new Map((await findTransactions(db, hashes)).map((one) => [one.hash, one]))
        return hashes.map((hash) => found.get(hash))
      },
      { most: ROWS },
    )
  }

  /** Call only once they are stored. */
  keep(transactions: readonly LaneTransaction[]): void {
    for (const transaction of transactions) this.#kept.set(transaction.hash, transaction)
    for (const hash of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break
      this.#kept.delete(hash)
    }
  }

  /** @throws Error where it is not stored */
  async take(hash: Hex): Promise<LaneTransaction> {
    const transaction = this.#kept.get(hash) ?? (await this.#read(hash))
    this.#kept.delete(hash)
    if (!transaction) throw new Error(`transaction ${hash} is not stored`)
    return transaction
  }
}
