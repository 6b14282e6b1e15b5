import type { Caip2 } from '@callboard/values'
import {
  createPublicClient,
  defineChain,
  fallback,
  http,
  type PublicClient,
  RpcError,
  RpcRequestError,
  type Transport,
  UnknownRpcError,
} from 'viem'
import type { ChainSet } from './chain-set.ts'
import type { Chain } from './chains.ts'

/** One JSON-RPC request to a node. */
export interface ChainCall {
  readonly network: Caip2
  readonly method: string
  readonly url: string
  /** Whether an error is the node's own answer, and not a failure on the way to it. */
  readonly isAnswer: (error: unknown) => boolean
}

/** What goes on around each request to a node: measuring it, say. The answer is passed through. */
export type AroundChainCall = <Answer>(call: ChainCall, ask: () => Promise<Answer>) => Promise<Answer>

/** How a run reaches its chains. */
export interface ChainClientSettings {
  readonly chains: ChainSet
  /** RPC URLs per network, the preferred one first; the next is tried when one fails. */
  readonly rpcUrls: Readonly<Record<Caip2, readonly string[]>>
  /** The longest wait for one HTTP answer of a node, in milliseconds; default 4000. */
  readonly timeoutMs?: number
  /** How often one node is asked again before the next one is; default 1. */
  readonly retryCount?: number
  readonly around?: AroundChainCall
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

function chainClient(
  chain: Chain,
  { rpcUrls, timeoutMs = TIMEOUT_MS, retryCount = 1, around }: ChainClientSettings,
): PublicClient {
  const urls = rpcUrls[chain.network] ?? []
  const transports = urls.map((url) => {
    const transport = http(url, { batch: true, timeout: timeoutMs, retryCount })
    return around ? within(around, { network: chain.network, url }, transport) : transport
  })
  return createPublicClient({
    chain: viemChain(chain, urls),
    transport: fallback(transports, { retryCount: 0 }),
    pollingInterval: Math.ceil(chain.blockTimeMs / 2),
  })
}

/** viem's errors of an answer carry the code that the node gave. */
const isAnswer = (error: unknown): boolean =>
  error instanceof RpcRequestError || (error instanceof RpcError && !(error instanceof UnknownRpcError))

const within =
  (around: AroundChainCall, { network, url }: Pick<ChainCall, 'network' | 'url'>, transport: Transport): Transport =>
  (options) => {
    const opened = transport(options)
    const request = ((asked, how) =>
      around({ network, url, method: asked.method, isAnswer }, () =>
        opened.request(asked, how),
      )) as typeof opened.request
    return { ...opened, request }
  }
