import { receiptOf } from '@callboard/evm'
import type { Address } from '@callboard/values'
import type { HDAccount } from 'viem/accounts'
import type { Api } from './api.ts'
import { type Devnet, reader, writer } from './devnet.ts'
import { short, tell } from './narration.ts'
import { endpointUrl, PRICE_USD, sampleProviderRuns, startSampleProvider } from './sample-provider.ts'

interface Deploy {
  readonly to: Address
  readonly data: `0x${string}`
  readonly value: string
}

interface Listing {
  readonly slug: string
  readonly status: string
  readonly operations: readonly { readonly url: string }[]
  readonly splitter: { readonly address: Address; readonly deployed: boolean; readonly deploy: Deploy }
}

interface NetworkState {
  readonly network: string
  readonly splitterAddress: Address
}

export interface Offered {
  readonly slug: string
  readonly splitter: Address
  /** Ends the sample provider's server; does nothing when it was another demonstration's. */
  readonly stop: () => Promise<void>
}

const NAME = 'Sample weather'

/** Brings the sample provider's API into the directory, or finds it there from an earlier demonstration. */
export async function offerWeather(devnet: Devnet, account: HDAccount, api: Api, port: number): Promise<Offered> {
  const { networkStates } = await api.get<{ networkStates: NetworkState[] }>(
    `/api/call/listings/splitters?wallet=${account.address}`,
  )
  const splitter = networkStates.find(({ network }) => network === devnet.network)?.splitterAddress
  if (!splitter) throw new Error(`There is no self-listing on ${devnet.network}.`)
  tell('sees the fee splitter that its wallet will have, before it exists', splitter)

  const { listings } = await api.get<{ listings: Listing[] }>('/api/call/listings/mine')
  const known = listings.find(({ operations }) => operations.some(({ url }) => url === endpointUrl(port)))
  const isRunning = await sampleProviderRuns(port)
  const stop = isRunning ? async () => {} : await startSampleProvider(devnet, splitter, port)
  tell(
    isRunning ? 'finds its server running' : 'starts its own server: stock @x402/express, settled by our facilitator',
    `${endpointUrl(port)}, ${PRICE_USD} USDC a call`,
  )
  try {
    const draft = known ?? (await publish(devnet, account, api, port))
    if (known) tell('finds its listing of an earlier demonstration', `${known.slug}, ${known.status}`)
    if (draft.status === 'draft') await goLive(devnet, account, api, draft)
    return { slug: draft.slug, splitter, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function publish(devnet: Devnet, account: HDAccount, api: Api, port: number): Promise<Listing> {
  const url = endpointUrl(port)
  const probed = await api.post<{ kind: string; operations: { metadataEvidence: string }[] }>(
    '/api/call/listings/probe',
    { url, method: 'GET' },
  )
  tell('has Callboard probe the endpoint', `an ${probed.kind} challenge`)

  const { message } = await api.get<{ message: string }>(`/api/call/listings/payout-nonce?wallet=${account.address}`)
  const signature = await account.signMessage({ message })
  const { listing } = await api.post<{ listing: Listing }>('/api/call/listings', {
    name: NAME,
    description: 'Tomorrow’s weather for a city, from the sample provider of the demonstration.',
    category: 'data',
    operations: [
      {
        method: 'GET',
        url,
        name: 'Weather',
        description: 'Tomorrow’s weather; give the city as ?city=.',
        metadataEvidence: probed.operations[0]?.metadataEvidence ?? 'none',
      },
    ],
    payoutWallet: account.address,
    network: devnet.network,
    message,
    signature,
  })
  tell('publishes a draft, signed by its payout wallet', listing.slug)
  return listing
}

async function goLive(devnet: Devnet, account: HDAccount, api: Api, listing: Listing): Promise<void> {
  if (!listing.splitter.deployed) {
    const { to, data, value } = listing.splitter.deploy
    const hash = await writer(devnet, account).sendTransaction({ to, data, value: BigInt(value) })
    await receiptOf(reader(devnet), hash)
    tell('deploys the splitter from its own wallet', short(hash))
  }
  const { status } = await api.post<{ status: string }>(`/api/call/listings/${listing.slug}/status`, {
    action: 'activate',
  })
  tell('activates the listing: endpoint probed again, splitter checked on chain', status)
}
