import type { Caip2 } from '@callboard/values'
import { createPublicClient, defineChain, fallback, http, type PublicClient } from 'viem'
import type { ChainSet } from './chain-set.ts'
import type { Chain } from './chains.ts'

/** How a run reaches its chains. */
export interface ChainClientSettings {
  readonly chains: ChainSet
  /** RPC URLs per network, the preferred one first; the next is tried when one fails. */
  readonly rpcUrls: Readonly<Record<Caip2, readonly string[]>>
  /** The longest wait for one HTTP answer of a node, in milliseconds; default 4000. */
  readonly timeoutMs?: number
  /** How often one node is asked again before the next one is; default 1. */
  readonly retryCount?: number
}

/** One reader per served chain, by CAIP-2. */
export type ChainClients = ReadonlyMap<Caip2, PublicClient>

const TIMEOUT_MS = 4000

/**
 * Readers of all chains of a run. Requests made in the same tick travel as one JSON-RPC batch, so a `Promise.all` of
 * reads is one round trip. Nothing is sent before the first read.
 * @throws Error naming each served network without an RPC URL
 */
export function chainClients(settings: ChainClientSettings): ChainClients {
  const chains = [...settings.chains.values()]
  const mute = chains.filter(({ network }) => !settings.rpcUrls[network]?.length).map(({ network }) => network)
  if (mute.length > 0) throw new Error(`no RPC URL for ${mute.join(', ')}`)
  return new Map(chains.map((chain) => [chain.network, chainClient(chain, settings)]))
}

/**
 * The reader of a network that the run is known to serve.
 * @throws Error when it is not
 */
export function clientOf(clients: ChainClients, network: Caip2): PublicClient {
  const client = clients.get(network)
  if (!client) throw new Error(`${network} is not served here`)
  return client
}

/** The chain as viem's clients and wallets take it. */
export const viemChain = (chain: Chain, rpcUrls: readonly string[] = []) =>
  defineChain({
    id: chain.chainId,
    name: chain.name,
    nativeCurrency: { name: 'Native coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: rpcUrls } },
    contracts: { multicall3: { address: chain.multicall3 } },
  })

function chainClient(chain: Chain, { rpcUrls, timeoutMs = TIMEOUT_MS, retryCount = 1 }: ChainClientSettings) {
  const urls = rpcUrls[chain.network] ?? []
  const transports = urls.map((url) => http(url, { batch: true, timeout: timeoutMs, retryCount }))
  return createPublicClient({
    chain: viemChain(chain, urls),
    transport: fallback(transports, { retryCount: 0 }),
    pollingInterval: Math.ceil(chain.blockTimeMs / 2),
  })
}
