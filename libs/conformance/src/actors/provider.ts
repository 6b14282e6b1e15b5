import { type ListingRecord, listings, type NetworkState } from '@callboard/contract'
import { expect } from 'vitest'
import { accepted } from '../expectations/expectations.ts'
import type { Devnet } from '../target.ts'
import { type Hex, type LocalAccount, sendAndWait } from './chain.ts'
import type { Answer, Client } from './client.ts'

/** The fee splitter that a wallet has, or will have, on the devnet. */
export async function splitterOf(api: Client, devnet: Devnet, wallet: Hex): Promise<NetworkState> {
  const answer = await api.get(`/api/call/listings/splitters?wallet=${wallet}`)
  const { networkStates } = accepted(listings.splitters, answer)
  const state = networkStates.find(({ network }) => network === devnet.network)
  if (!state) expect.fail(`${devnet.network} takes no self-listings`)
  return state
}

/** The message of the payout-nonce route, signed by the wallet. */
export async function payoutProof(api: Client, wallet: LocalAccount) {
  const answer = await api.get(`/api/call/listings/payout-nonce?wallet=${wallet.address}`)
  const { message } = accepted(listings.payoutNonce, answer)
  if (message === null) expect.fail('With a wallet the answer is the whole message')
  return { message, signature: await wallet.signMessage({ message }) }
}

export interface Publication {
  readonly name: string
  readonly urls: readonly string[]
  readonly method?: 'GET' | 'POST'
  readonly category?: string
  readonly description?: string
}

/** The body of a publish request, with a fresh proof of the payout wallet. */
export const publication = async (api: Client, devnet: Devnet, wallet: LocalAccount, given: Publication) => ({
  name: given.name,
  description: given.description ?? `${given.name}, of the conformance suite.`,
  category: given.category ?? 'data',
  operations: given.urls.map((url, at) => ({ method: given.method ?? 'GET', url, name: `Operation ${at}` })),
  payoutWallet: wallet.address,
  network: devnet.network,
  ...(await payoutProof(api, wallet)),
})

/** Publishes a draft. @returns the listing as its owner sees it */
export async function publish(api: Client, devnet: Devnet, wallet: LocalAccount, given: Publication) {
  const answer = await api.post('/api/call/listings', await publication(api, devnet, wallet, given))
  return accepted(listings.publish, answer).listing
}

/** Deploys a listing's splitter from the provider's own wallet. */
export const deploySplitter = (devnet: Devnet, wallet: LocalAccount, { deploy }: Pick<NetworkState, 'deploy'>) =>
  sendAndWait(devnet, wallet, { to: deploy.to, data: deploy.data as Hex, value: BigInt(deploy.value) })

export const act = (api: Client, slug: string, action: string): Promise<Answer> =>
  api.post(`/api/call/listings/${slug}/status`, { action })

/** Publishes a listing and takes it live; its splitter is already deployed. */
export async function goLive(
  api: Client,
  devnet: Devnet,
  wallet: LocalAccount,
  given: Publication,
): Promise<ListingRecord> {
  const { slug } = await publish(api, devnet, wallet, given)
  return accepted(listings.setStatus, await act(api, slug, 'activate')).listing
}
