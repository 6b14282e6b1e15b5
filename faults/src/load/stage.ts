import { fund, type Hex, type LocalAccount, newAccount, sendAndWait } from '@callboard/conformance/chain'
import { newOwner } from '@callboard/conformance/owner'
import type { Requirement } from '@callboard/conformance/payment'
import { type Seller, startExpressSeller } from '@callboard/conformance/sellers'
import type { Devnet } from '@callboard/conformance/target'

/** An owner of listings, with its credentials. */
export interface Provider {
  readonly account: LocalAccount
  readonly bearer: string
  readonly cookie: string
}

/** The participants of the load, with what they need. */
export interface Stage {
  readonly devnet: Devnet
  /** A provider with an API key and a session. */
  provider: Provider
  readonly payers: readonly LocalAccount[]
  /** The requirement of every payment of the load; it pays the provider's splitter. */
  readonly asked: Requirement
  /** An endpoint that sells for that requirement. */
  readonly paidUrl: string
  readonly seller: Seller
}

const PAYERS = 6
/** Test USDC of each payer, in base units. */
export const FUNDS = 500_000_000n
const AMOUNT = '1000'
const LIVE = 3

interface State {
  readonly network: string
  readonly splitterAddress: Hex
  readonly deploy: { readonly to: Hex; readonly data: Hex; readonly value: string }
}

/** Signs a provider in, takes listings live at a real seller, and funds the payers. */
export async function setStage(baseUrl: string, devnet: Devnet): Promise<Stage> {
  const account = newAccount()
  await fund(devnet, account.address, { wei: 10n ** 18n })
  const provider = await newOwner({ baseUrl, devnet }, account)
  const splitters = await provider.api.get(`/api/call/listings/splitters?wallet=${account.address}`)
  const { networkStates } = splitters.json() as { networkStates: State[] }
  const splitter = networkStates.find(({ network }) => network === devnet.network)
  if (!splitter) throw new Error(`${devnet.network} takes no self-listings`)
  const { to, data, value } = splitter.deploy
  await sendAndWait(devnet, account, { to, data, value: BigInt(value) })

  const payTo = splitter.splitterAddress
  const product = { method: 'GET', path: '/paid', amount: AMOUNT, payTo, description: 'Paid' } as const
  const seller = await startExpressSeller({ baseUrl, devnet }, [product])
  const paidUrl = seller.url('/paid')
  for (let n = 1; n <= LIVE; n += 1) {
    const asked = await provider.api.get(`/api/call/listings/payout-nonce?wallet=${account.address}`)
    const { message } = asked.json() as { message: string }
    const signature = await account.signMessage({ message })
    const said = { name: `Live at the walk ${n} ${Date.now().toString(36)}`, description: 'Live.', category: 'data' }
    const operations = [{ method: 'GET', url: paidUrl, name: 'Paid' }]
    const { network } = devnet
    const body = { ...said, operations, payoutWallet: account.address, network, message, signature }
    const made = (await provider.api.post('/api/call/listings', body)).json() as { listing: { slug: string } }
    const live = await provider.api.post(`/api/call/listings/${made.listing.slug}/status`, { action: 'activate' })
    if (live.status !== 200) throw new Error(`A listing did not go live: ${live.text}`)
  }

  const payers = Array.from({ length: PAYERS }, newAccount)
  for (const payer of payers) await fund(devnet, payer.address, { usdc: FUNDS })
  const { network, usdc } = devnet
  const asked: Requirement = {
    ...{ scheme: 'exact', network, asset: usdc.address, amount: AMOUNT, payTo, maxTimeoutSeconds: 3_600 },
    extra: { name: usdc.name, version: usdc.version },
  }
  return { devnet, payers, asked, paidUrl, seller, provider: credentialsOf(account, provider) }
}

/** Signs the provider in once more, and creates another API key for it. */
export async function signProviderIn(baseUrl: string, stage: Stage): Promise<void> {
  const { account } = stage.provider
  stage.provider = credentialsOf(account, await newOwner({ baseUrl, devnet: stage.devnet }, account))
}

function credentialsOf(account: LocalAccount, { api, session }: Awaited<ReturnType<typeof newOwner>>): Provider {
  const [{ authorization = '' }, { cookie = '' }] = [api.headers, session.headers]
  return { account, bearer: authorization, cookie }
}
