import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Devnet } from '../target.ts'
import type { LocalAccount } from './chain.ts'

/** `fetch` of an agent that pays with the stock `@x402/fetch`, in the devnet's token and up to a dollar per call. */
export function payingFetch({ network, usdc }: Devnet, payer: LocalAccount): typeof fetch {
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(payer)).setSpendControls({
    allowedAssets: [{ network, asset: usdc.address, maxAmountPerPayment: '1000000' }],
  })
  return wrapFetchWithPayment(fetch, client)
}

export interface Bought {
  readonly body: unknown
  readonly transaction: string
  readonly payer: string
}

/** Buys one call. @throws Error when the answer carried no settlement evidence */
export async function buy(devnet: Devnet, payer: LocalAccount, url: string, init?: RequestInit): Promise<Bought> {
  const answer = await payingFetch(devnet, payer)(url, init)
  const evidence = answer.headers.get('payment-response')
  const text = await answer.text()
  if (!answer.ok || !evidence) throw new Error(`${url} answered ${answer.status}: ${text}`)
  const { success, transaction, payer: paidBy } = decodePaymentResponseHeader(evidence)
  if (!success) throw new Error(`${url} was served without a settlement`)
  return { body: JSON.parse(text), transaction, payer: paidBy ?? '' }
}
