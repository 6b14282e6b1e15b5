import {
  type Caller,
  ChecklistItem,
  type EndpointSample,
  type InputOf,
  type ListingSnapshot,
  listings as operations,
} from '@callboard/contract'
import { type Devnet, openDevnet } from '@callboard/embedded'
import { livenessProber } from '@callboard/liveness-prober'
import type { ServiceModule } from '@callboard/runtime'
import {
  type FakeClock,
  fakeClock,
  granted,
  startTestServices,
  type TestDatabase,
  type TestServices,
  testDatabase,
  wallet,
} from '@callboard/testkit'
import { type Address, isRefusal } from '@callboard/values'
import { createWalletClient, http } from 'viem'
import { inject } from 'vitest'
import { listings } from '../src/index.ts'
import { type Provider, startProvider } from './provider.ts'

/** A devnet, a provider's API, and the two services: everything for a provider's way into the directory. */
export interface Stage {
  readonly devnet: Devnet
  readonly provider: Provider
  readonly database: TestDatabase
  readonly services: TestServices
  readonly clock: FakeClock
  close(): Promise<void>
}

/** @param prober the one that probes the endpoints, given the devnet */
export async function openStage(
  env: Record<string, string> = {},
  prober: (devnet: Devnet) => ServiceModule = () => livenessProber,
): Promise<Stage> {
  const devnet = await openDevnet()
  const provider = await startProvider(devnet.usdc)
  const database = await testDatabase(inject('postgresUrl'))
  const clock = fakeClock()
  const services = await startTestServices([prober(devnet), listings], {
    databaseUrl: database.url,
    clock,
    env: { DEVNET: devnetSetting(devnet), PROBE_ALLOW_LOOPBACK: 'true', PROBE_POLL_MS: '20', ...env },
  })
  return {
    devnet,
    provider,
    database,
    services,
    clock,
    async close() {
      await services.stop()
      await provider.close()
      await database.drop()
      await devnet.stop()
    },
  }
}

export const devnetSetting = ({ rpcUrl, chainId, usdc, splitterFactory, treasury }: Devnet): string =>
  JSON.stringify({
    ...{ rpcUrl, chainId, usdc: usdc.address, usdcName: usdc.name },
    ...{ splitterFactory, splitterTreasury: treasury },
  })

/** An API key of an account of the devnet's mnemonic. */
export const keyOf = (index: number): Caller => ({ kind: 'api_key', owner: wallet(index).address, keyId: 'key' })

/** The splitter of an account's wallet, as the route returns it. */
export async function splitterOf({ services }: Stage, index: number) {
  const { networkStates } = granted(
    await services.call(operations.splitters, { wallet: wallet(index).address }, { caller: keyOf(index) }),
  )
  const [state] = networkStates
  if (!state) throw new Error('The devnet has no splitters')
  return state
}

/** Publishes with a fresh message signed by the account's wallet. */
export async function publishAs(
  { services }: Stage,
  index: number,
  listing: {
    name: string
    urls: readonly string[]
    method?: 'GET' | 'POST'
    sample?: EndpointSample
    network?: `${string}:${string}`
    payoutWallet?: Address
    signer?: number
    proof?: { message: string; signature: `0x${string}` }
  },
) {
  const { proof = await proofOf(services, listing.signer ?? index) } = listing
  return services.call(
    operations.publish,
    {
      name: listing.name,
      description: 'Quotes for tests.',
      category: 'data',
      operations: listing.urls.map((url, at) => ({
        method: listing.method ?? 'GET',
        url,
        name: `Quote ${at}`,
        description: '',
        metadataEvidence: 'none' as const,
        ...(listing.sample ? { sample: listing.sample } : {}),
      })),
      payoutWallet: listing.payoutWallet ?? wallet(index).address,
      network: listing.network ?? 'eip155:31337',
      ...proof,
    },
    { caller: keyOf(index) },
  )
}

/** The message of the payout-nonce route, signed. */
export async function proofOf(services: TestServices, index: number) {
  const { message } = granted(
    await services.call(operations.payoutNonce, { wallet: wallet(index).address }, { caller: keyOf(index) }),
  )
  if (!message) throw new Error('There is no message to sign')
  return { message, signature: await wallet(index).signMessage({ message }) }
}

/** Sends a transaction from a response, from an account's wallet, and waits for its block. */
export async function send({ devnet }: Stage, index: number, tx: { to: Address; data: string; value: string }) {
  const client = createWalletClient({ account: wallet(index), transport: http(devnet.rpcUrl) })
  await client.sendTransactionSync({
    chain: null,
    to: tx.to,
    data: tx.data as `0x${string}`,
    value: BigInt(tx.value),
    pollingInterval: 50,
  })
}

export const act = (
  { services }: Stage,
  index: number,
  slug: string,
  action: 'activate' | 'request_verification' | 'suspend' | 'revise',
) => services.call(operations.setStatus, { slug, action }, { caller: keyOf(index) })

/** Creates a live listing: publishes it, deploys its splitter, and activates it. Its endpoint is `/<slug>`. */
export async function goLive(stage: Stage, index: number, name: string): Promise<string> {
  const { splitterAddress, deployed, deploy } = await splitterOf(stage, index)
  const path = `/${name.toLowerCase()}`
  stage.provider.set(path, { payTo: splitterAddress })
  const { listing } = granted(await publishAs(stage, index, { name, urls: [stage.provider.url(path)] }))
  if (!deployed) await send(stage, index, deploy)
  granted(await act(stage, index, listing.slug, 'activate'))
  return listing.slug
}

/** A listing as its owner sees it. */
export async function mineOf({ services }: Stage, index: number, slug: string) {
  const { listings: owned } = granted(await services.call(operations.mine, { limit: 100 }, { caller: keyOf(index) }))
  const listing = owned.find((one) => one.slug === slug)
  if (!listing) throw new Error(`${slug} is not among the owner's listings`)
  return listing
}

export const withdrawAs = ({ services }: Pick<Stage, 'services'>, index: number, slug: string) =>
  services.call(operations.withdraw, { slug }, { caller: keyOf(index) })

/** The published snapshots of a listing, in order. */
export async function snapshots({ database }: Stage, slug: string) {
  const rows = await database.query<{ data: ListingSnapshot }>(
    `select data from listings.outbox where name = 'listing.changed.v1' and key = $1 order by sequence`,
    [slug],
  )
  return rows.map(({ data }) => data)
}

/** A complete checklist that accepts whatever the system finds against a listing. */
export const checked = ChecklistItem.options

/** Verifies a listing as it is looked at now. */
export async function verify(
  stage: Stage,
  slug: string,
  more: Pick<InputOf<typeof operations.review>, 'by' | 'checked' | 'note'> = {},
) {
  const looked = await stage.services.call(operations.review, { slug, verdict: 'look' })
  if (isRefusal(looked)) return looked
  return stage.services.call(operations.review, { slug, verdict: 'verify', seen: looked.seen, checked, ...more })
}
