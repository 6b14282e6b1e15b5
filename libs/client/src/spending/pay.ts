import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, type Network, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { LocalAccount } from 'viem'
import type { Ledger } from './ledger.ts'
import type { SpendingPolicy } from './policy.ts'

/** The policy does not allow the payment; nothing was signed. */
export class RefusedByPolicy extends Error {
  override readonly name = 'RefusedByPolicy'
}

/** A payment was signed and nothing was answered: repeating the request may pay again. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** Test tokens and other assets that are worth a dollar and that the stock client does not know. */
export interface KnownAsset {
  readonly network: string
  readonly asset: string
}

export interface Purse {
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
        /** `unknown`: the seller gave no evidence. Repeating the request may pay again. */
        readonly state: 'settled' | 'refused' | 'unknown'
        readonly amount: bigint
        readonly payTo: string
        readonly network: string
        readonly transaction?: string
      }
    | undefined
}

/**
 * Calls a URL and pays for it with x402 if it asks for that and the policy allows it; the stock client does the paying.
 * @throws RefusedByPolicy, OutcomeUnknown
 */
export async function pay(purse: Purse, url: string, init: RequestInit = {}): Promise<Paid> {
  const { account, policy, ledger, assets = [] } = purse
  let promised: { id: string; amount: bigint; payTo: string; network: string } | undefined
  let refused: string | undefined
  const client = new x402Client()
    .register('eip155:*', new ExactEvmScheme(account))
    // The policy limits amounts; here is only which tokens are dollars.
    .setSpendControls({
      maxAmountPerPayment: false,
      allowedAssets: assets.map(({ network, asset }) => ({ network: network as Network, asset })),
    })
    .onBeforePaymentCreation(async ({ selectedRequirements: { amount, payTo, network, maxTimeoutSeconds } }) => {
      const asked = { network, payTo, amount: BigInt(amount), url, validForMs: maxTimeoutSeconds * 1_000 }
      const decision = await ledger.promise(policy, asked)
      if ('id' in decision) {
        promised = { id: decision.id, amount: asked.amount, payTo, network }
        return undefined
      }
      refused = decision.reason
      return { abort: true, reason: decision.reason }
    })
  let answer: Response
  try {
    answer = await wrapFetchWithPayment(fetch, client)(url, init)
  } catch (error) {
    if (refused !== undefined) throw new RefusedByPolicy(`Not paid: ${refused}.`, { cause: error })
    if (!promised) throw error
    await ledger.conclude(promised.id, 'unknown')
    throw new OutcomeUnknown('The payment was signed, and there is no answer to it.', { cause: error })
  }
  return promised ? { answer, payment: await concluded(ledger, promised, answer) } : { answer }
}

async function concluded<P extends { id: string }>(ledger: Ledger, promised: P, answer: Response) {
  const evidence = answer.headers.get('payment-response') ?? answer.headers.get('x-payment-response')
  const settled = evidence === null ? undefined : decodePaymentResponseHeader(evidence)
  if (settled?.success) {
    await ledger.conclude(promised.id, 'settled', settled.transaction)
    return { ...promised, state: 'settled' as const, transaction: settled.transaction }
  }
  const state = answer.status === 402 ? 'refused' : 'unknown'
  await ledger.conclude(promised.id, state)
  return { ...promised, state } as const
}
