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
import { OWN_EXTENSIONS } from '../domain/own-offer.ts'
import { notSettled, PUBLIC_STATES, settleResponse } from '../domain/settle-outcome.ts'
import type { FacilitatorKit } from '../kit.ts'
import { bindGrant, findGrant, reassignIdentifier, reserveIdentifier, storeResult } from '../store/grant.repository.ts'
import { type Authentic, authenticate } from './authenticate.ts'
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
  if (identifier.kind === 'id') {
    const earlier = await earlierSale(kit, identifier.id, authentic, requestFingerprint, ware)
    if (earlier) return earlier
  }
  const now = new Date(kit.clock.now())
  const grant = await bindGrant(kit.db, authentic.key, ware.operation, requestFingerprint, now)
  if (grant.fingerprint !== requestFingerprint) return { kind: 'conflict' }
  const settlement = await settleAuthentic(kit, authentic, ware.waitMs)
  if (settlement.success) return granted(kit, authentic.key, settlement, ware)
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

/**
 * The sale that an identifier already stands for, whichever authorization paid it. Undefined when the identifier is new,
 * or when its payment came to nothing: then it stands for this one from now on.
 */
async function earlierSale<Result extends object>(
  kit: FacilitatorKit,
  id: string,
  { key, x402Version }: Authentic,
  fingerprint: string,
  ware: Ware<Result>,
): Promise<Sale<Result> | undefined> {
  const { operation, waitMs } = ware
  const now = new Date(kit.clock.now())
  for (;;) {
    const named = await reserveIdentifier(kit.db, operation, id, { fingerprint, payment_key: key }, now)
    if (named.fingerprint !== fingerprint) return { kind: 'conflict' }
    if (named.payment_key === key) return undefined
    const row = await awaitOutcome(kit, named.payment_key, waitMs)
    const state = row ? PUBLIC_STATES[row.state] : 'absent'
    if (!row || state === 'failed') {
      if (await reassignIdentifier(kit.db, operation, id, named.payment_key, key)) return undefined
      continue
    }
    const settlement = settleResponse(row, { x402Version, v1Networks: kit.parts.v1Networks })
    if (state !== 'settled') return { kind: 'pending', settlement }
    await bindGrant(kit.db, named.payment_key, operation, fingerprint, now)
    return granted(kit, named.payment_key, settlement, ware)
  }
}
