import type { FacilitatorRequest } from '@callboard/contract'
import { reasonIn, type SettleResponse } from '@callboard/x402'
import { ChainAway } from '../chain/chain-away.ts'
import { discoveredResource } from '../domain/discovered-resource.ts'
import { isOpen } from '../domain/payment-state.ts'
import { notSettled, settleResponse } from '../domain/settle-outcome.ts'
import type { FacilitatorKit } from '../kit.ts'
import type { Claim } from '../store/payment.repository.ts'
import type { Payment } from '../store/tables.ts'
import { suffixOf } from './ask-chain.ts'
import { type Authentic, authenticate } from './authenticate.ts'
import { passing } from './moments.ts'
import { isSameAuthorization } from './payment-terms.ts'

export interface SettleOptions {
  /** Whether a version 1 payment is taken. */
  readonly v1: boolean
  /** How long an outcome is waited for. */
  readonly waitMs: number
}

/**
 * Settles a payment once, or reports what became of it.
 * @throws ChainAway when the chain is away and nothing was signed
 */
export async function settlePayment(
  kit: FacilitatorKit,
  request: FacilitatorRequest,
  options: SettleOptions,
): Promise<SettleResponse> {
  const checked = await authenticate(kit, request, options)
  if (!checked.ok) return checked.response
  const claim = claimOf(kit, checked.authentic)
  const claimed = claim && (await kit.parts.joint.claim(claim))
  if (claimed) passing('claimed', 1)
  return settleAuthentic(kit, checked.authentic, options.waitMs, claimed)
}

/** What claims the key of a payment that can still be made; undefined when only its stored outcome can be asked for. */
export function claimOf(kit: FacilitatorKit, { payment, transfer, request }: Authentic): Claim | undefined {
  if (!payment) return undefined
  const { paymentPayload, paymentRequirements } = request
  return {
    transfer,
    suffix: suffixOf(kit, payment),
    resource: discoveredResource(payment, paymentPayload, paymentRequirements),
    owner: kit.parts.instance,
    now: new Date(kit.clock.now()),
  }
}

/**
 * Drives a payment whose claim was tried to its outcome.
 * @param claimed the row, where the claim succeeded
 * @throws ChainAway when the chain is away and nothing was signed
 */
export async function settleAuthentic(
  kit: FacilitatorKit,
  { key, transfer, x402Version, request }: Authentic,
  waitMs: number,
  claimed: Payment | undefined,
): Promise<SettleResponse> {
  const row = await awaitOutcome(kit, key, waitMs, claimed)
  if (!row) throw new ChainAway(`the claim of ${key} was given up, because its chain is away`)
  if (!isSameAuthorization(row, transfer)) {
    const reason = reasonIn(x402Version, 'invalid_exact_evm_nonce_already_used')
    return notSettled({ reason, payer: row.payer }, request.paymentRequirements)
  }
  return settleResponse(row, { x402Version, v1Networks: kit.parts.v1Networks })
}

/**
 * Waits until a payment has an outcome, driving it on.
 * @param claimed the row, where the caller has just claimed it
 * @returns the payment with its outcome, or as it stands when the time is over; undefined when there is none
 * @throws ChainAway when the chain is away and nothing was signed
 */
export async function awaitOutcome(
  kit: FacilitatorKit,
  key: string,
  waitMs: number,
  claimed?: Payment,
): Promise<Payment | undefined> {
  const end = performance.now() + waitMs
  let row = claimed ?? (await kit.parts.joint.find(key))
  while (row && isOpen(row.state)) {
    const left = end - performance.now()
    if (left <= 0) return row
    const driven = await within(left, kit.parts.drives.run(kit, key, { forMs: left, releases: true, claimed }))
    row = driven && !isOpen(driven.state) ? driven : await kit.parts.joint.find(key)
  }
  return row
}

/** The outcome of work, if it comes no later than so. @throws what the work throws in that time */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  // An aborted timer would make an error with a stack for every payment.
  const timer = setTimeout(resolve, ms, undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
