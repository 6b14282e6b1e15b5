import { type Api, listings, type OutputOf } from '@callboard/client'
import { receiptOf } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import type { HDAccount } from 'viem/accounts'
import { type Devnet, reader, writer } from './devnet.ts'
import { short, tell } from './narration.ts'
import { endpointUrl, PRICE_USD } from './sample-provider.ts'
import { openStall } from './stall.ts'

type Listing = OutputOf<typeof listings.mine>['listings'][number]

/** The owner that offers the sample API: the devnet, its wallet there, and the API client with its credential. */
export interface Provider {
  readonly devnet: Devnet
  readonly account: HDAccount
  readonly api: Api
}

export interface Offered {
  readonly slug: string
  readonly splitter: Address
  /** Ends the sample provider's server; does nothing if another demonstration started it. */
  readonly stop: () => Promise<void>
}

const NAME = 'Sample weather'

/**
 * Lists the sample provider's API in the directory, or finds it there from an earlier demonstration.
 * @param wanted the sample provider's port; the first free one when undefined
 */
export async function offerWeather(provider: Provider, wanted: number | undefined): Promise<Offered> {
  const { devnet, account, api } = provider
  const { networkStates } = await api.call(listings.splitters, { wallet: account.address })
  const splitter = networkStates.find(({ network }) => network === devnet.network)?.splitterAddress
  if (!splitter) throw new Error(`There is no self-listing on ${devnet.network}.`)
  tell('sees the address of its fee splitter, which does not exist yet', splitter)

  const { listings: mine } = await api.call(listings.mine, {})
  const { port, isOld, stop } = await openStall(devnet, splitter, wanted)
  const known = mine.find(({ operations }) => operations.some(({ url }) => url === endpointUrl(port)))
  // A listing for another port keeps its name.
  const name = mine.some((listing) => listing.name === NAME) ? `${NAME} ${port}` : NAME
  tell(
    isOld ? 'finds its server running' : 'starts its own server: stock @x402/express, settled by our facilitator',
    `${endpointUrl(port)}, ${PRICE_USD} USDC per call`,
  )
  try {
    const draft = known ?? (await publish(provider, { name, port }))
    if (known) tell('finds its listing from an earlier demonstration', `${known.slug}, ${known.status}`)
    if (draft.status === 'draft') await goLive(provider, draft)
    return { slug: draft.slug, splitter, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function publish(
  { devnet, account, api }: Provider,
  { name, port }: { readonly name: string; readonly port: number },
): Promise<Listing> {
  const url = endpointUrl(port)
  const probed = await api.call(listings.probe, { url, method: 'GET' })
  tell('has Callboard probe the endpoint', `an ${probed.kind} challenge`)

  const { message } = await api.call(listings.payoutNonce, { wallet: account.address })
  if (message === null) throw new Error('The service gave no message for the payout wallet to sign.')
  const signature = await account.signMessage({ message })
  const { listing } = await api.call(listings.publish, {
    name,
    description: 'Tomorrow’s weather for a city, from the sample provider of the demonstration.',
    category: 'data',
    operations: [
      {
        method: 'GET',
        url,
        name: 'Weather',
        description: 'Tomorrow’s weather. Give the city as ?city=.',
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

async function goLive({ devnet, account, api }: Provider, listing: Listing): Promise<void> {
  if (listing.splitter?.deployed === false) {
    const { to, data, value } = listing.splitter.deploy
    const hash = await writer(devnet, account).sendTransaction({ to, data: data as Hex, value: BigInt(value) })
    await receiptOf(reader(devnet), hash)
    tell('deploys the splitter from its own wallet', short(hash))
  }
  const { status } = await api.call(listings.setStatus, { slug: listing.slug, action: 'activate' })
  tell('activates the listing: endpoint probed again, splitter checked on chain', status)
}
