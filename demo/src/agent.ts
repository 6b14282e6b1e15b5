import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { HDAccount } from 'viem/accounts'
import { Api } from './api.ts'
import type { Devnet } from './devnet.ts'
import { short, tell } from './narration.ts'

interface Found {
  readonly ref: string
  readonly card: { readonly title: string; readonly facts: readonly { label: string; value: string }[] }
  readonly execution: { readonly url: string }
}

interface ActivityItem {
  readonly txHash: string
  readonly amountUsd: string
  readonly blockNumber: string
  readonly listing: { readonly ref: string }
}

/** Searches the directory for the listing, as an agent that knows only words would. */
export async function findInDirectory(devnet: Devnet, slug: string): Promise<Found> {
  const path = '/api/call/discovery?q=weather&includeUnverified=true'
  const found = await eventually('the listing is in the directory', async () => {
    const { items } = await new Api(devnet.baseUrl).get<{ items: Found[] }>(path)
    return items.find(({ ref }) => ref === slug)
  })
  const facts = found.card.facts.map(({ label, value }) => `${label} ${value}`).join(', ')
  tell('An agent searches the directory for “weather” and finds it', `${found.card.title}: ${facts}`)
  return found
}

/** Buys one call with the stock `@x402/fetch`. @returns the settlement's transaction hash */
export async function buyCall(devnet: Devnet, account: HDAccount, url: string): Promise<string> {
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls({
    // The stock client pays only in tokens it knows; the devnet's test USDC is named here, with a limit.
    allowedAssets: [{ network: devnet.network, asset: devnet.usdc.address, maxAmountPerPayment: '100000' }],
  })
  const answer = await wrapFetchWithPayment(fetch, client)(`${url}?city=Oslo`)
  const evidence = answer.headers.get('payment-response')
  if (!answer.ok || !evidence) throw new Error(`The paid call answered ${answer.status}: ${await answer.text()}`)
  const { success, transaction, payer } = decodePaymentResponseHeader(evidence)
  tell(
    'buys the call with the stock @x402/fetch and gets its answer',
    await answer.text(),
    `evidence: success ${success}, payer ${short(payer ?? '')}, transaction ${transaction}`,
  )
  return transaction
}

/** Waits until the indexer has seen the settlement and the directory shows it. */
export async function seeInActivity(devnet: Devnet, slug: string, transaction: string): Promise<void> {
  const api = new Api(devnet.baseUrl)
  const item = await eventually('the settlement is in the activity', async () => {
    const { items } = await api.get<{ items: ActivityItem[] }>(`/api/call/activity?listing=${slug}`)
    return items.find(({ txHash }) => txHash === transaction)
  })
  tell(
    'The settlement is observed on chain and stands in the activity',
    `block ${item.blockNumber}, ${item.amountUsd} USD`,
  )
}

async function eventually<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + 30_000
  while (performance.now() < end) {
    const value = await ask()
    if (value !== undefined) return value
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  throw new Error(`It did not come to this within 30 s: ${what}.`)
}
