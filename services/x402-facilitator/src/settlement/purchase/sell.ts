import type { PresentedPayment } from '@callboard/contract'
import { type Address, type Caip2, networkOf } from '@callboard/values'
import {
  type Confirmation,
  checkEcho,
  type ExactRequirements,
  Extensions,
  findRequirement,
  isObject,
  PaymentRequirements,
  readPaymentIdentifier,
  type SettleResponse,
} from '@callboard/x402'
import type { FacilitatorContext } from '../../context.ts'
import { OWN_EXTENSIONS } from '../../domain/own-offer.ts'
import { notSettled, settleResponse } from '../../domain/settle-outcome.ts'
import { findGrant, storeResult } from '../../store/grant.repository.ts'
import { awaitOutcome } from '../await-outcome.ts'
import { settleAuthentic } from '../settle.ts'
import { type Authentic, authenticate } from './authenticate.ts'
import { bind } from './bind.ts'

/** One of our own operations that is on sale. */
export interface Product<Result extends object> {
  readonly operation: string
  /** Id of the request that buys. */
  readonly requestId: string
  /** What we ask for, from our own configuration. */
  readonly requirements: readonly ExactRequirements[]
  readonly v1: boolean
  /** The owner of the purchase, where that is not just the payer: identifiers are bound to it too. */
  readonly owner?: Address
  readonly waitMs: number
  /** The work that is paid for; runs after the settlement, and its first result is kept. */
  readonly work: () => Promise<Result>
}

export type Purchase<Result> =
  | { readonly kind: 'granted'; readonly key: string; readonly result: Result; readonly settlement: SettleResponse }
  /** Nothing was paid; `settlement` tells what was tried. */
  | { readonly kind: 'unpaid'; readonly error: string; readonly settlement?: SettleResponse }
  /** The chain has not answered; the same payment may be presented again. */
  | { readonly kind: 'pending'; readonly settlement: SettleResponse }
  /** The payment or its identifier was used for another request. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'malformed_identifier' }

/**
 * Sells one request, paid upfront: payment and identifier are bound to the request before anything is settled, the
 * settlement happens once, and a repeat gets the stored answer.
 * @throws ChainUnavailable when the chain is unavailable and nothing was signed
 */
export async function sell<Result extends object>(
  ctx: FacilitatorContext,
  { payload, x402Version, requestFingerprint, requester }: PresentedPayment,
  product: Product<Result>,
): Promise<Purchase<Result>> {
  const requirement = requirementFor(ctx, payload, product.requirements)
  if (!requirement) return { kind: 'unpaid', error: 'No matching payment requirements' }
  const extensions = x402Version === 2 ? Extensions.safeParse(payload.extensions ?? {}).data : undefined
  const echo = checkEcho(OWN_EXTENSIONS, extensions)
  if (!echo.ok) return unpaid(notSettled({ reason: echo.reason }, requirement))
  const identifier = readPaymentIdentifier(OWN_EXTENSIONS, extensions)
  if (identifier.kind === 'malformed') return { kind: 'malformed_identifier' }

  const request = { x402Version, paymentPayload: payload, paymentRequirements: requirement }
  const checked = await authenticate(ctx, request, product)
  if (!checked.ok) return unpaid(checked.response)
  const { authentic } = checked
  const bound = await bind(ctx, authentic, {
    operation: product.operation,
    requestId: product.requestId,
    origin: requester ? networkOf(requester.address) : null,
    owner: product.owner,
    fingerprint: requestFingerprint,
    id: identifier.kind === 'id' ? identifier.id : undefined,
  })
  if (bound.kind === 'conflict') return bound
  const settlement =
    bound.kind === 'ours'
      ? await settleAuthentic(ctx, authentic, product.waitMs, bound.claimed)
      : await earlierSettlement(ctx, bound.key, authentic, product)
  if (settlement.success) return granted(ctx, bound.key, settlement, product)
  return settlement.errorReason === 'settlement_pending' ? { kind: 'pending', settlement } : unpaid(settlement)
}

/** Our own requirement that the payment accepts; the payment's own claims about it are not used any further. */
function requirementFor(
  { resources }: FacilitatorContext,
  payload: Record<string, unknown>,
  offered: readonly ExactRequirements[],
): ExactRequirements | undefined {
  if (payload.x402Version === 1) {
    const network = typeof payload.network === 'string' ? resources.v1Networks.get(payload.network) : undefined
    return offered.find((requirement) => requirement.network === network)
  }
  const accepted = PaymentRequirements.safeParse(isObject(payload.accepted) ? payload.accepted : undefined)
  return accepted.success ? findRequirement(offered, accepted.data) : undefined
}

const unpaid = (settlement: SettleResponse): Purchase<never> => ({
  kind: 'unpaid',
  error: settlement.errorReason ?? 'unexpected_settle_error',
  settlement,
})

async function granted<Result extends object>(
  ctx: FacilitatorContext,
  key: string,
  settlement: SettleResponse,
  { work }: Product<Result>,
): Promise<Purchase<Result>> {
  const kept = (await findGrant(ctx.db, key)).result as Result | null
  return { kind: 'granted', key, result: kept ?? (await storeResult(ctx.db, key, await work())), settlement }
}

/**
 * The outcome of the payment that an identifier names. It counts from where our offer for its own network says: its
 * payer may present the second payment on a network where less is enough.
 * @throws ChainUnavailable
 */
async function earlierSettlement(
  ctx: FacilitatorContext,
  key: string,
  { x402Version }: Authentic,
  { requirements, waitMs }: Pick<Product<object>, 'requirements' | 'waitMs'>,
): Promise<SettleResponse> {
  const known = await ctx.resources.batcher.find(key)
  const policy = policyOn(ctx, known?.network, requirements)
  const row = await awaitOutcome(ctx, key, known, { waitMs, policy })
  return settleResponse(row, { x402Version, v1Networks: ctx.resources.v1Networks }, policy)
}

/** From where on a payment to us counts on a network: as our offer there says, or else by the network's default. */
const policyOn = (
  { resources }: FacilitatorContext,
  network: Caip2 | undefined,
  offered: readonly ExactRequirements[],
): Confirmation =>
  offered.find((requirement) => requirement.network === network)?.extra.confirmation ??
  (network && resources.confirmations.get(network)?.default) ??
  'included'
