import { randomUUID } from 'node:crypto'
import { BUILDER_CODE, type Extensions, isObject, withPaymentIdentifier, withRoutingProof } from '@callboard/x402'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { type Network, x402Client } from '@x402/fetch'
import type { z } from 'zod'
import { type Presented, spentBy } from './entry.ts'
import { type Ledger, LedgerUnusable } from './ledger.ts'
import { SignedTerms, usableUntil } from './offer-seen.ts'
import type { Promised, Signed } from './paid.ts'
import { decide, type SpendingPolicy, type Spent } from './policy.ts'
import type { SpendingWallet } from './spending-wallet.ts'

/** A call that the client may pay for. */
export interface Call {
  readonly url: string
  /** From `requestHash`. */
  readonly request: string | undefined
  /** Signs a new payment even where the outcome of an earlier one is unknown. */
  readonly anew: boolean
}

/** What came of the one entry of an offer that was to be paid. */
export type AttemptResult =
  /** Its terms are not valid x402. */
  | { readonly kind: 'unreadable' }
  /** The outcome of an earlier payment for the same request is unknown. */
  | { readonly kind: 'open'; readonly open: Presented }
  /** The policy does not allow it. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unusable'; readonly error: LedgerUnusable }
  /** The ledger has it; `signed` once it is, and `isKept` once the ledger has it as it is sent. */
  | { readonly kind: 'promised'; readonly promised: Promised; signed?: Signed; isKept: boolean }

/** What the stock client did about an offer, which it hides behind its own error. */
export interface Attempt {
  /** Undefined while no entry of an offer was to be paid. */
  result?: AttemptResult
}

/**
 * The stock client, which pays for one call within the policy.
 * @param attempt is told what came of it
 */
export function payingClient(wallet: SpendingWallet, call: Call, attempt: Attempt): x402Client {
  const { account, policy, ledger, assets = [] } = wallet
  return (
    new x402Client()
      .register('eip155:*', new ExactEvmScheme(account))
      // The policy limits amounts; this only says which tokens are dollars.
      .setSpendControls({
        maxAmountPerPayment: false,
        allowedAssets: assets.map(({ network, asset }) => ({ network: network as Network, asset })),
      })
      .registerPolicy((_version, offered) => {
        const spent = spentIn(ledger)
        const alone = offered.filter((one) => isAllowed(policy, [], one))
        const allowed = alone.filter((one) => isAllowed(policy, spent, one))
        // Where none is, the first is chosen and refused below with the reason.
        return [allowed, alone].find(({ length }) => length > 0) ?? offered
      })
      .onBeforePaymentCreation(async ({ selectedRequirements }) => {
        const result = await promise(wallet, call, selectedRequirements)
        attempt.result = result
        if (result.kind === 'promised') return undefined
        return { abort: true, reason: result.kind === 'refused' ? result.reason : result.kind }
      })
      .registerExtension({
        key: BUILDER_CODE,
        enrichPaymentPayload: async (payload) => ({
          ...payload,
          extensions: withPaymentIdentifier(withRoutingProof(extensionsOf(payload.extensions)), randomUUID()),
        }),
      })
      .onAfterPaymentCreation(async ({ paymentPayload: { payload } }) => {
        if (attempt.result?.kind === 'promised') attempt.result.signed = { validBefore: usableUntil(payload) }
      })
  )
}

/** Has the ledger promise a payment, before anything is signed. */
async function promise(
  { policy, ledger }: SpendingWallet,
  { url, request, anew }: Call,
  chosen: { readonly network: string },
): Promise<AttemptResult> {
  const terms = SignedTerms.safeParse(chosen)
  if (!terms.success) return { kind: 'unreadable' }
  const { network } = chosen
  const asked = askedBy(network, terms.data)
  const { payTo, amount } = asked
  try {
    const open = request === undefined || anew ? undefined : await ledger.reopen(request)
    if (open) return { kind: 'open', open }
    const decision = await ledger.promise(policy, { ...asked, url, request })
    if (!('id' in decision)) return { kind: 'refused', reason: decision.reason }
    return { kind: 'promised', promised: { id: decision.id, amount, payTo, network, repeated: false }, isKept: false }
  } catch (error) {
    return { kind: 'unusable', error: whyUnusable(ledger, error) }
  }
}

/** The extensions that a seller offers; none if it is no record, since any JSON may stand there. */
const extensionsOf = (offered: unknown): Extensions => (isObject(offered) ? offered : {})

/** What was spent until now; nothing where the ledger cannot be read, which is reported when it is to promise. */
function spentIn(ledger: Ledger): readonly Spent[] {
  try {
    return spentBy(ledger.read(), Date.now())
  } catch {
    return []
  }
}

/** Whether the policy allows an entry of an offer after what was spent. */
function isAllowed(policy: SpendingPolicy, spent: readonly Spent[], offered: { readonly network: string }): boolean {
  const terms = SignedTerms.safeParse(offered)
  if (!terms.success) return false
  return decide(policy, spent, askedBy(offered.network, terms.data), Date.now()).pay
}

const askedBy = (network: string, { amount, payTo, maxTimeoutSeconds }: z.output<typeof SignedTerms>) => ({
  ...{ network, payTo, amount: BigInt(amount) },
  validForMs: maxTimeoutSeconds * 1_000,
})

function whyUnusable({ file }: Ledger, error: unknown): LedgerUnusable {
  const why = error instanceof LedgerUnusable ? error.message : `${file} cannot be used (${codeOf(error)})`
  return new LedgerUnusable(`${why}. Nothing was signed.`, { cause: error })
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'for an unknown reason'
