import { Api, catalog, type OutputOf } from '@callboard/client'
import type { Address } from '@callboard/values'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { HDAccount } from 'viem/accounts'
import type { Devnet } from './devnet.ts'
import { eventually } from './eventually.ts'
import { short, tell } from './narration.ts'

/** A callable result, as the directory shows it. */
type Shown = OutputOf<typeof catalog.discovery>['items'][number]
type Callable = Shown & { readonly execution: NonNullable<Shown['execution']> }

const isCallable = (shown: Shown): shown is Callable => shown.execution !== null

/** Searches the directory for the listing, as an agent with only a description would. */
export async function findInDirectory(devnet: Devnet, slug: string): Promise<Callable> {
  const api = new Api(devnet)
  const found = await eventually('the listing is in the directory', async () => {
    const { items } = await api.call(catalog.discovery, { q: 'weather', includeUnverified: 'true' })
    return items.filter(isCallable).find(({ ref }) => ref === slug)
  })
  const facts = found.card.facts.map(({ label, value }) => `${label} ${value}`).join(', ')
  tell('An agent searches the directory for “weather” and finds it', `${found.card.title}: ${facts}`)
  return found
}

interface Bought {
  /** The settlement's transaction hash. */
  readonly transaction: string
  /** The payment that was sent: the `PAYMENT-SIGNATURE` header. */
  readonly header: string
}

/** The payer's stock client. It pays only in tokens it knows; this names the devnet's test USDC, with a limit. */
export const buyer = (devnet: Devnet, account: HDAccount, maxAmountPerPayment: string) =>
  new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls({
    allowedAssets: [{ network: devnet.network, asset: devnet.usdc.address, maxAmountPerPayment }],
  })

/** Buys one call with the stock `@x402/fetch`. */
export async function buyCall(devnet: Devnet, account: HDAccount, url: string, init?: RequestInit): Promise<Bought> {
  const client = buyer(devnet, account, '100000')
  let header = ''
  const noting: typeof fetch = (input, more) => {
    if (input instanceof Request) header = input.headers.get('payment-signature') ?? header
    return fetch(input, more)
  }
  const answer = await wrapFetchWithPayment(noting, client)(url, init)
  const evidence = answer.headers.get('payment-response')
  if (!answer.ok || !evidence) throw new Error(`The paid call answered ${answer.status}: ${await answer.text()}`)
  const { success, transaction, payer } = decodePaymentResponseHeader(evidence)
  tell(
    'buys the call with the stock @x402/fetch and gets its answer',
    await answer.text(),
    `evidence: success ${success}, payer ${short(payer ?? '')}, transaction ${transaction}`,
  )
  return { transaction, header }
}

/** Finds the decoder that this instance sells, and buys a payment's decoding. @returns its listing and settlement */
export async function buyDecoding(devnet: Devnet, account: HDAccount, header: string) {
  const found = await eventually('the decoder is in the directory', async () => {
    const { items } = await new Api(devnet).call(catalog.discovery, { q: 'decoder' })
    return items.filter(isCallable).find(({ group }) => group === 'svc')
  })
  tell('The agent finds what this instance sells itself', found.card.title)
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ header }) }
  const { transaction } = await buyCall(devnet, account, found.execution.url, asked)
  return { slug: found.ref, transaction }
}

/** Waits until the indexer has seen the settlement and the directory shows it. */
export async function seeInActivity(devnet: Devnet, payer: Address, transaction: string): Promise<void> {
  const api = new Api(devnet)
  const item = await eventually('the settlement is in the activity', async () => {
    const { items } = await api.call(catalog.activity, { address: payer })
    return items.find(({ txHash }) => txHash === transaction)
  })
  tell(
    'The settlement is observed on chain and appears in the activity',
    `block ${item.blockNumber}, ${item.amountUsd} USD`,
  )
}
