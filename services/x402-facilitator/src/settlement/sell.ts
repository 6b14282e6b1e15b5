import type { PresentedPayment } from '@callboard/contract'
import {
  checkEcho,
  type ExactRequirements,
  Extensions,
  findRequirement,
  isObject,
  PaymentRequirements,
  readPaymentIdentifier,
  type SettleResponse,
} from '@callboard/x402'
import { ChainAway } from '../chain/chain-away.ts'
import { OWN_EXTENSIONS } from '../domain/own-offer.ts'
import { notSettled, settleResponse } from '../domain/settle-outcome.ts'
import type { FacilitatorKit } from '../kit.ts'
import { findGrant, storeResult } from '../store/grant.repository.ts'
import { authenticate } from './authenticate.ts'
import { bind } from './bind.ts'
import { awaitOutcome, settleAuthentic } from './settle.ts'

/** One of our own operations on sale. */
export interface Ware<Result extends object> {
  readonly operation: string
  /** What we ask for, from our own state. */
  readonly requirements: readonly ExactRequirements[]
  readonly v1: boolean
  readonly waitMs: number
  /** The work that is paid for; runs after the settlement, and its first answer is kept. */
  readonly work: () => Promise<Result>
}

export type Sale<Result> =
  | { readonly kind: 'granted'; readonly result: Result; readonly settlement: SettleResponse }
  /** Nothing was paid; `settlement` says what was tried. */
  | { readonly kind: 'unpaid'; readonly error: string; readonly settlement?: SettleResponse }
  /** The chain has not said; the same payment may be presented again. */
  | { readonly kind: 'pending'; readonly settlement: SettleResponse }
  /** The payment or its identifier was used for another request. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'malformed_identifier' }

/**
 * Sells one request, paid upfront: payment and identifier are bound to the request before anything is settled, the
 * settlement happens once, and a repeat gets the stored answer.
 * @throws ChainAway when the chain is away and nothing was signed
 */
export async function sell<Result extends object>(
  kit: FacilitatorKit,
  { payload, x402Version, requestFingerprint }: PresentedPayment,
  ware: Ware<Result>,
): Promise<Sale<Result>> {
  const requirement = requirementFor(kit, payload, ware.requirements)
  if (!requirement) return { kind: 'unpaid', error: 'No matching payment requirements' }
  const extensions = x402Version === 2 ? Extensions.safeParse(payload.extensions ?? {}).data : undefined
  const echo = checkEcho(OWN_EXTENSIONS, extensions)
  if (!echo.ok) return unpaid(notSettled({ reason: echo.reason }, requirement))
  const identifier = readPaymentIdentifier(OWN_EXTENSIONS, extensions)
  if (identifier.kind === 'malformed') return { kind: 'malformed_identifier' }

  const request = { x402Version, paymentPayload: payload, paymentRequirements: requirement }
  const checked = await authenticate(kit, request, ware)
  if (!checked.ok) return unpaid(checked.response)
  const { authentic } = checked
  const bound = await bind(kit, authentic, {
    operation: ware.operation,
    fingerprint: requestFingerprint,
    id: identifier.kind === 'id' ? identifier.id : undefined,
  })
  if (bound.kind === 'conflict') return bound
  const settlement =
    bound.kind === 'ours'
      ? await settleAuthentic(kit, authentic, ware.waitMs, bound.claimed)
      : await earlierSettlement(kit, bound.key, authentic.x402Version, ware.waitMs)
  if (settlement.success) return granted(kit, bound.key, settlement, ware)
  return settlement.errorReason === 'settlement_pending' ? { kind: 'pending', settlement } : unpaid(settlement)
}

/** Our own requirement that the payment accepts; what the payment itself claims about it is not used any further. */
function requirementFor(
  { parts }: FacilitatorKit,
  payload: Record<string, unknown>,
  offered: readonly ExactRequirements[],
): ExactRequirements | undefined {
  if (payload.x402Version === 1) {
    const network = typeof payload.network === 'string' ? parts.v1Networks.get(payload.network) : undefined
    return offered.find((requirement) => requirement.network === network)
  }
  const accepted = PaymentRequirements.safeParse(isObject(payload.accepted) ? payload.accepted : undefined)
  return accepted.success ? findRequirement(offered, accepted.data) : undefined
}

const unpaid = (settlement: SettleResponse): Sale<never> => ({
  kind: 'unpaid',
  error: settlement.errorReason ?? 'unexpected_settle_error',
  settlement,
})

async function granted<Result extends object>(
  kit: FacilitatorKit,
  key: string,
  settlement: SettleResponse,
  { work }: Ware<Result>,
): Promise<Sale<Result>> {
  const kept = (await findGrant(kit.db, key)).result as Result | null
  return { kind: 'granted', result: kept ?? (await storeResult(kit.db, key, await work())), settlement }
}

/** The outcome of the payment that an identifier stands for. @throws ChainAway */
async function earlierSettlement(
  kit: FacilitatorKit,
  key: string,
  x402Version: 1 | 2,
  waitMs: number,
): Promise<SettleResponse> {
  const row = await awaitOutcome(kit, key, waitMs)
  if (!row) throw new ChainAway(`the claim of ${key} was given up, because its chain is away`)
  return settleResponse(row, { x402Version, v1Networks: kit.parts.v1Networks })
}
