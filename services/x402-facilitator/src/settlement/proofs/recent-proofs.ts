import type { ExactTransfer } from '@callboard/x402'
import { keyOf } from '../../store/payment.repository.ts'
import type { Payment } from '../../store/tables.ts'
import type { VerifiedFacts } from './verified-facts.ts'

/** How long what `verify` found serves the settlement of the same payment. */
const HOLDS_MS = 60_000
const MANY = 10_000

/**
 * What `verify` found of payments, for their settlement in this process: the token took this very signature, so it is the
 * payer's, and nothing of it is asked again. Each serves one settlement. Only of payers without code, whose word cannot change.
 * A payer that moves its money within the minute costs us gas, which its allowance bounds, and never money.
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

  /** Whether the token took exactly this transfer, with this signature. */
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

/** Everything that was tried on the token. */
const proofOf = (transfer: ExactTransfer): string => {
  const { payTo, amount, authorization, signature } = transfer
  return [keyOf(transfer), payTo, amount, authorization.validAfter, authorization.validBefore, signature].join(' ')
}

const rowProof = ({ key, pay_to, amount, valid_after, valid_before, signature }: Payment): string =>
  [key, pay_to, amount, valid_after, valid_before, signature].join(' ')
