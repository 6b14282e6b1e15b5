import { chainOf, clientOf } from '@callboard/evm'
import { unixSeconds } from '@callboard/values'
import type { Reason } from '@callboard/x402'
import { findUse } from '../chain/sent-facts.ts'
import type { FacilitatorKit } from '../kit.ts'
import { gone, type Move } from '../store/move.repository.ts'
import type { Payment } from '../store/tables.ts'
import { movementOf, reachOf, transferOf } from './payment-terms.ts'
import { recordSettled } from './record-settled.ts'
import type { VerifiedFacts } from './steps.ts'

/**
 * Asks the chain whether it would take a claimed payment. An authorization that is used already counts as paid when it
 * moved exactly this money: somebody ran ahead of us.
 * @returns what was found, or the payment with its outcome where the token would not take it
 * @throws ChainAway, PaymentMoved
 */
export async function verify(kit: FacilitatorKit, row: Payment): Promise<VerifiedFacts | { concluded: Payment }> {
  const chain = chainOf(kit.parts.chains, row.network)
  const transfer = transferOf(row, chain)
  const askedAt = performance.now()
  const { verdict, ...facts } = await kit.parts.joint.ask({ transfer, suffix: row.suffix })
  if (facts.authorizationUsed) {
    const use = await findUse(
      clientOf(kit.parts.clients, row.network),
      row.network,
      movementOf(row),
      reachOf(row, chain, kit.clock.now()),
    )
    if (use?.kind === 'ours') return { concluded: await recordSettled(kit, { row, ...use, isForeign: true }) }
    return refusePayment(kit, row, 'invalid_exact_evm_nonce_already_used')
  }
  if (BigInt(unixSeconds(kit.clock.now())) >= BigInt(row.valid_before)) {
    return refusePayment(kit, row, 'invalid_exact_evm_payload_authorization_valid_before')
  }
  if (!verdict.ok) return refusePayment(kit, row, verdict.reason)
  return { balance: facts.balance, batchable: facts.batchable, askedAt }
}

/** Refuses a payment for which nothing was signed; it may be presented again. */
async function refusePayment(kit: FacilitatorKit, row: Payment, reason: Reason): Promise<{ concluded: Payment }> {
  const concluded = await moveTogether(kit, { seen: row, events: ['refused'], facts: { reason } })
  kit.parts.meters.outcomes.inc({ network: row.network, outcome: reason })
  return { concluded }
}

/** Moves a payment in the statement of all that move now. @throws PaymentMoved */
export const moveTogether = async (kit: FacilitatorKit, move: Move): Promise<Payment> =>
  (await kit.parts.joint.move(move)) ?? gone(move.seen)
