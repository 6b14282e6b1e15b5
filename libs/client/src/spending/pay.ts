import { wrapFetchWithPayment } from '@x402/fetch'
import { whyUnreachable } from '../unreachable.ts'
import { asking, PAYMENT_HEADERS, type Seen } from './asking.ts'
import { NotPayable, OutcomeUnknown, RefusedByPolicy, SellerUnreachable } from './errors.ts'
import type { Ledger } from './ledger.ts'
import { offerIn, whyNotPaid } from './offer-seen.ts'
import { concluded, type Paid, recorded } from './paid.ts'
import { payAgain } from './pay-again.ts'
import { type Attempt, type AttemptResult, payingClient } from './paying-client.ts'
import { requestHash } from './request-hash.ts'
import type { SpendingWallet } from './spending-wallet.ts'

export type { KnownAsset } from './offer-seen.ts'
export type { SpendingWallet } from './spending-wallet.ts'

/** A request as `fetch` takes it. */
export interface PayInit extends RequestInit {
  /** Signs a new payment even where the outcome of one for the same request is unknown: both may be settled. */
  readonly anew?: boolean
}

/**
 * Calls a URL and, if it asks for payment, pays with x402 within the policy; the stock client does the paying. A payment
 * that the seller answers with 503 and `Retry-After` is presented again for up to a minute. If the outcome of a payment
 * for the same request (method, URL and body) is unknown, that payment is presented again, and none is signed.
 * @throws RefusedByPolicy, OutcomeUnknown, SellerUnreachable, NotPayable, LedgerUnusable, and TypeError as `fetch` does
 * where it is no request, or has a payment of its own: the stock client notices that after it has signed one more
 */
export async function pay(wallet: SpendingWallet, url: string, { anew = false, ...init }: PayInit = {}): Promise<Paid> {
  const { ledger } = wallet
  const sent = new Headers(init.headers)
  const taken = PAYMENT_HEADERS.find((name) => sent.has(name))
  if (taken) throw new TypeError(`The header ${taken} is set by pay alone`)
  const request = requestHash(url, init)
  const attempt: Attempt = {}
  const seen: Seen = {}
  const presenting = async (header: string) => {
    const { result } = attempt
    if (result?.kind === 'promised' && request !== undefined) {
      result.isKept = await recorded(ledger.present(result.promised.id, header))
    }
  }
  const client = payingClient(wallet, { url, request, anew }, attempt)
  let answer: Response
  try {
    answer = await wrapFetchWithPayment(asking(seen, presenting), client)(url, init)
  } catch (error) {
    const { result } = attempt
    if (!result) throw await whyNothingSigned(url, seen, error)
    if (result.kind === 'open') return payAgain(ledger, result.open, url, init)
    throw await whyNotAnswered(ledger, url, result, error)
  }
  const { result } = attempt
  return result?.kind === 'promised' ? concluded(ledger, result.promised, { answer, ...result }) : { answer }
}

/** Why a call failed before anything was to be paid. */
async function whyNothingSigned(url: string, { offer, failure }: Seen, error: unknown) {
  if (offer) return new NotPayable(url, whyNotPaid(await offerIn(offer)), error)
  // Nothing was sent: it is no request, and is none the next time either.
  if (failure === undefined) return error
  const why = whyUnreachable(failure)
  return new SellerUnreachable(`${new URL(url).origin} cannot be reached: ${why}. Nothing was signed.`, {
    cause: error,
  })
}

/** Why a call failed that was to be paid; the ledger has the outcome of what was promised. */
async function whyNotAnswered(
  ledger: Ledger,
  url: string,
  result: Exclude<AttemptResult, { kind: 'open' }>,
  error: unknown,
) {
  if (result.kind === 'refused') return new RefusedByPolicy(`Not paid: ${result.reason}.`, { cause: error })
  if (result.kind === 'unusable') return result.error
  if (result.kind === 'unreadable') return new NotPayable(url, { kind: 'unreadable' }, error)
  const { promised, signed, isKept } = result
  if (!signed) {
    await recorded(ledger.takeBack(promised.id))
    return new NotPayable(url, { kind: 'unreadable' }, error)
  }
  await recorded(ledger.conclude(promised.id, 'unknown', signed))
  const next = isKept ? ' The same call presents the same payment again, which pays once.' : ''
  return new OutcomeUnknown(`The payment was signed, but no answer came.${next}`, {
    repeatable: isKept,
    cause: error,
  })
}
