import { chainOf, clientOf } from '@callboard/evm'
import { unixSeconds } from '@callboard/values'
import type { Reason } from '@callboard/x402'
import { findUse } from '../chain/sent-facts.ts'
import type { FacilitatorKit } from '../kit.ts'
import { movePayment } from '../store/payment.repository.ts'
import type { FacilitatorDb, Payment } from '../store/tables.ts'
import { askChain } from './ask-chain.ts'
import { movementOf, reachOf, transferOf } from './payment-terms.ts'
import { recordSettled } from './record-settled.ts'
import type { Step } from './steps.ts'

/**
 * Asks the chain whether it would take a claimed payment. An authorization that is used already counts as paid when it
 * moved exactly this money: somebody ran ahead of us.
 */
export const verifyClaim: Step = async (kit, row, memo) => {
  const chain = chainOf(kit.parts.chains, row.network)
  const transfer = transferOf(row, chain)
  const { facts, verdict } = await askChain(kit, transfer, row.suffix)
  if (facts.authorizationUsed) {
    const use = await findUse(
      clientOf(kit.parts.clients, row.network),
      row.network,
      movementOf(row),
      reachOf(row, chain, kit.clock.now()),
    )
    if (use?.kind === 'ours') return recordSettled(kit, row, use.transaction, true)
    return refusePayment(kit, kit.db, row, 'invalid_exact_evm_nonce_already_used')
  }
  if (BigInt(unixSeconds(kit.clock.now())) >= BigInt(row.valid_before)) {
    return refusePayment(kit, kit.db, row, 'invalid_exact_evm_payload_authorization_valid_before')
  }
  if (!verdict.ok) return refusePayment(kit, kit.db, row, verdict.reason)
  memo.facts = facts
  return movePayment(kit.db, row, 'approved', { now: new Date(kit.clock.now()) })
}

/** Refuses a payment for which nothing was signed; it may be presented again. */
export async function refusePayment(
  kit: FacilitatorKit,
  db: FacilitatorDb,
  row: Payment,
  reason: Reason,
): Promise<Payment> {
  const refused = await movePayment(db, row, 'refused', { facts: { reason }, now: new Date(kit.clock.now()) })
  kit.parts.meters.outcomes.inc({ network: row.network, outcome: reason })
  return refused
}
