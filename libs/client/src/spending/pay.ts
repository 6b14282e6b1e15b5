import { randomUUID } from 'node:crypto'
import { BUILDER_CODE, type Extensions, isObject, withPaymentIdentifier, withRoutingProof } from '@callboard/x402'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { type Network, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { LocalAccount } from 'viem'
import { whyUnreachable } from '../unreachable.ts'
import { asking, type Seen } from './asking.ts'
import { errorIn, evidenceIn } from './evidence.ts'
import { type Ledger, LedgerUnusable } from './ledger.ts'
import { type KnownAsset, type NotPaidFor, offerIn, SignedTerms, usableUntil, whyNotPaid } from './offer-seen.ts'
import { decideAlone, type SpendingPolicy } from './policy.ts'

export type { KnownAsset } from './offer-seen.ts'

/** The policy does not allow the payment; nothing was signed. */
export class RefusedByPolicy extends Error {
  override readonly name = 'RefusedByPolicy'
}

/** A payment was signed but no answer came: repeating the request may pay again. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** The seller gave no answer; nothing was signed. */
export class SellerUnreachable extends Error {
  override readonly name = 'SellerUnreachable'
}

/** The seller asks for something that cannot be paid; nothing was signed. */
export class NotPayable extends Error {
  override readonly name = 'NotPayable'
  readonly reason: NotPaidFor

  constructor(url: string, reason: NotPaidFor, cause: unknown) {
    super(`${new URL(url).origin} asks for a payment that cannot be made (${reason.kind})`, { cause })
    this.reason = reason
  }
}

export interface SpendingWallet {
  readonly account: LocalAccount
  readonly policy: SpendingPolicy
  readonly ledger: Ledger
  readonly assets?: readonly KnownAsset[]
}

export interface Paid {
  readonly answer: Response
  /** Undefined when the call was free. */
  readonly payment?:
    | {
        readonly id: string
        /** `unknown`: the seller gave no proof. Repeating the request may pay again. */
        readonly state: 'settled' | 'refused' | 'unknown'
        readonly amount: bigint
        readonly payTo: string
        readonly network: string
        readonly transaction?: string
        /** The seller's own reason for refusing it, if it gave any. */
        readonly claimedReason?: string
      }
    | undefined
}

/**
 * Calls a URL and, if it asks for payment, pays with x402 within the policy; the stock client does the paying. A payment
 * that the seller answers with 503 and `Retry-After` is presented again for up to a minute.
 * @throws RefusedByPolicy, OutcomeUnknown, SellerUnreachable, NotPayable, LedgerUnusable
 */
export async function pay(wallet: SpendingWallet, url: string, init: RequestInit = {}): Promise<Paid> {
  const { account, policy, ledger, assets = [] } = wallet
  let promised: { id: string; amount: bigint; payTo: string; network: string } | undefined
  let signed: Signed | undefined
  let refused: string | undefined
  let unreadable = false
  let unusable: LedgerUnusable | undefined
  const client = new x402Client()
    .register('eip155:*', new ExactEvmScheme(account))
    // The policy limits amounts; this only says which tokens are dollars.
    .setSpendControls({
      maxAmountPerPayment: false,
      allowedAssets: assets.map(({ network, asset }) => ({ network: network as Network, asset })),
    })
    .registerPolicy((_version, offered) => {
      const allowed = offered.filter((one) => isAllowed(policy, one))
      // Where none is, the first is chosen and refused below with the reason.
      return allowed.length > 0 ? allowed : offered
    })
    .onBeforePaymentCreation(async ({ selectedRequirements }) => {
      const terms = SignedTerms.safeParse(selectedRequirements)
      unreadable = !terms.success
      if (!terms.success) return { abort: true, reason: 'its terms are not valid x402' }
      const { network } = selectedRequirements
      const { amount, payTo, maxTimeoutSeconds } = terms.data
      const asked = { network, payTo, amount: BigInt(amount), url, validForMs: maxTimeoutSeconds * 1_000 }
      const decision = await ledger.promise(policy, asked).catch((error: unknown) => {
        unusable = whyUnusable(ledger, error)
        throw error
      })
      if ('id' in decision) {
        promised = { id: decision.id, amount: asked.amount, payTo, network }
        return undefined
      }
      refused = decision.reason
      return { abort: true, reason: decision.reason }
    })
    .registerExtension({
      key: BUILDER_CODE,
      enrichPaymentPayload: async (payload) => ({
        ...payload,
        extensions: withPaymentIdentifier(withRoutingProof(extensionsOf(payload.extensions)), randomUUID()),
      }),
    })
    .onAfterPaymentCreation(async ({ paymentPayload: { payload } }) => {
      signed = { validBefore: usableUntil(payload) }
    })
  const seen: Seen = {}
  let answer: Response
  try {
    answer = await wrapFetchWithPayment(asking(seen), client)(url, init)
  } catch (error) {
    if (refused !== undefined) throw new RefusedByPolicy(`Not paid: ${refused}.`, { cause: error })
    if (unusable) throw unusable
    if (promised && !signed) {
      await recorded(ledger.takeBack(promised.id))
      throw new NotPayable(url, { kind: 'unreadable' }, error)
    }
    if (!promised) {
      if (unreadable) throw new NotPayable(url, { kind: 'unreadable' }, error)
      if (seen.offer) throw new NotPayable(url, whyNotPaid(await offerIn(seen.offer)), error)
      const why = whyUnreachable(seen.failure ?? error)
      throw new SellerUnreachable(`${new URL(url).origin} cannot be reached: ${why}. Nothing was signed.`, {
        cause: error,
      })
    }
    await recorded(ledger.conclude(promised.id, 'unknown', signed))
    throw new OutcomeUnknown('The payment was signed, but no answer came.', { cause: error })
  }
  return promised ? { answer, payment: await concluded(ledger, promised, { answer, signed }) } : { answer }
}

/** The extensions that a seller offers; none if it is no record, since any JSON may stand there. */
const extensionsOf = (offered: unknown): Extensions => (isObject(offered) ? offered : {})

/** Whether the policy allows an entry of an offer by itself. */
function isAllowed(policy: SpendingPolicy, offered: { readonly network: string }): boolean {
  const terms = SignedTerms.safeParse(offered)
  if (!terms.success) return false
  const { amount, payTo } = terms.data
  return decideAlone(policy, { network: offered.network, payTo, amount: BigInt(amount) }).pay
}

function whyUnusable({ file }: Ledger, error: unknown): LedgerUnusable {
  const why = error instanceof LedgerUnusable ? error.message : `${file} cannot be used (${codeOf(error)})`
  return new LedgerUnusable(`${why}. Nothing was signed.`, { cause: error })
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'for an unknown reason'

/** What was signed. */
interface Signed {
  /** Unix milliseconds, after which the signature is no longer valid. */
  readonly validBefore: number
}

async function concluded<P extends { id: string }>(
  ledger: Ledger,
  promised: P,
  { answer, signed }: { readonly answer: Response; readonly signed: Signed | undefined },
) {
  const { success, errorReason, ...transaction } = evidenceIn(answer)
  if (success) {
    await recorded(ledger.conclude(promised.id, 'settled', transaction))
    return { ...promised, state: 'settled' as const, ...transaction }
  }
  const state = answer.status === 402 ? 'refused' : 'unknown'
  await recorded(ledger.conclude(promised.id, state, signed))
  const claimedReason = errorReason ?? (state === 'refused' ? await errorIn(answer.clone()) : undefined)
  return { ...promised, state, ...(claimedReason ? { claimedReason } : {}) } as const
}

/**
 * Waits until the ledger has written an outcome, or cannot: its disk is full, or another process keeps it. The promise
 * then stays in it and counts as spent, and the caller still gets the answer, which may be paid for.
 */
const recorded = (written: Promise<void>): Promise<void> => written.catch(() => {})
