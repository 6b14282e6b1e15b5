import { randomUUID } from 'node:crypto'
import { BUILDER_CODE, type Extensions, isObject, withPaymentIdentifier, withRoutingProof } from '@callboard/x402'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { type Network, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { LocalAccount } from 'viem'
import { whyUnreachable } from '../unreachable.ts'
import { asking, type Seen } from './asking.ts'
import type { Presented } from './entry.ts'
import { NotPayable, OutcomeUnknown, RefusedByPolicy, SellerUnreachable } from './errors.ts'
import { type Ledger, LedgerUnusable } from './ledger.ts'
import { type KnownAsset, offerIn, SignedTerms, usableUntil, whyNotPaid } from './offer-seen.ts'
import { concluded, type Paid, type Promised, recorded, type Signed } from './paid.ts'
import { payAgain } from './pay-again.ts'
import { decideAlone, type SpendingPolicy } from './policy.ts'
import { requestHash } from './request-hash.ts'

export type { KnownAsset } from './offer-seen.ts'

export interface SpendingWallet {
  readonly account: LocalAccount
  readonly policy: SpendingPolicy
  readonly ledger: Ledger
  readonly assets?: readonly KnownAsset[]
}

/** A request as `fetch` takes it. */
export interface PayInit extends RequestInit {
  /** Signs a new payment even where the outcome of one for the same request is unknown: both may be settled. */
  readonly anew?: boolean
}

/**
 * Calls a URL and, if it asks for payment, pays with x402 within the policy; the stock client does the paying. A payment
 * that the seller answers with 503 and `Retry-After` is presented again for up to a minute. If the outcome of a payment
 * for the same request (method, URL and body) is unknown, that payment is presented again, and none is signed.
 * @throws RefusedByPolicy, OutcomeUnknown, SellerUnreachable, NotPayable, LedgerUnusable
 */
export async function pay(wallet: SpendingWallet, url: string, { anew = false, ...init }: PayInit = {}): Promise<Paid> {
  const { account, policy, ledger, assets = [] } = wallet
  const request = requestHash(url, init)
  let open: Presented | undefined
  let promised: Promised | undefined
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
      const asked = { network, payTo, amount: BigInt(amount), url, validForMs: maxTimeoutSeconds * 1_000, request }
      try {
        open = request === undefined || anew ? undefined : await ledger.reopen(request)
        if (open) return { abort: true, reason: 'the outcome of an earlier payment is unknown' }
        const decision = await ledger.promise(policy, asked)
        if ('id' in decision) {
          promised = { id: decision.id, amount: asked.amount, payTo, network, repeated: false }
          return undefined
        }
        refused = decision.reason
        return { abort: true, reason: decision.reason }
      } catch (error) {
        unusable = whyUnusable(ledger, error)
        throw error
      }
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
  let isKept = false
  const presenting = async (header: string) => {
    if (promised && request !== undefined) isKept = await recorded(ledger.present(promised.id, header))
  }
  let answer: Response
  try {
    answer = await wrapFetchWithPayment(asking(seen, presenting), client)(url, init)
  } catch (error) {
    if (open) return payAgain(ledger, open, url, init)
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
    const next = isKept ? ' The same call presents the same payment again, which pays once.' : ''
    throw new OutcomeUnknown(`The payment was signed, but no answer came.${next}`, {
      repeatable: isKept,
      cause: error,
    })
  }
  return promised ? concluded(ledger, promised, { answer, signed, isKept }) : { answer }
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
