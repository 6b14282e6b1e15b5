import type { ExactTransfer } from '@callboard/x402'
import { keyOf } from '../../store/payment.repository.ts'
import type { Payment } from '../../store/tables.ts'
import type { VerifiedFacts } from './verified-facts.ts'

/** How long the result of `verify` serves the settlement of the same payment. */
const HOLDS_MS = 60_000
const MANY = 10_000

/**
 * The results of `verify`, for settlements in this process: the token accepted this very signature, so it is the
 * payer's, and nothing is asked again. Each serves one settlement, and only payers without code, whose verdict cannot
 * change. If a payer moves its money within the minute, that costs us gas, bounded by its allowance, and never money.
 */
export class RecentProofs {
  readonly #proofs = new Map<string, VerifiedFacts>()

  keep(transfer: ExactTransfer, facts: VerifiedFacts): void {
    if (facts.hasCode) return
    this.#proofs.set(proofOf(transfer), facts)
    for (const [id, { askedAt }] of this.#proofs) {
      if (this.#proofs.size <= MANY && performance.now() - askedAt < HOLDS_MS) break
      this.#proofs.delete(id)
    }
  }

  /** Whether the token accepted exactly this transfer, with this signature. */
  has(transfer: ExactTransfer): boolean {
    return this.#fresh(proofOf(transfer)) !== undefined
  }

  take(row: Payment): VerifiedFacts | undefined {
    const id = rowProof(row)
    const facts = this.#fresh(id)
    this.#proofs.delete(id)
    return facts
  }

  #fresh(id: string): VerifiedFacts | undefined {
    const facts = this.#proofs.get(id)
    return facts && performance.now() - facts.askedAt < HOLDS_MS ? facts : undefined
  }
}

/** Identifies everything that was tried on the token. */
const proofOf = (transfer: ExactTransfer): string => {
  const { payTo, amount, authorization, signature } = transfer
  return [keyOf(transfer), payTo, amount, authorization.validAfter, authorization.validBefore, signature].join(' ')
}

const rowProof = ({ key, pay_to, amount, valid_after, valid_before, signature }: Payment): string =>
  [key, pay_to, amount, valid_after, valid_before, signature].join(' ')
