import type { Caip2 } from '@callboard/values'
import {
  createClient,
  createPublicClient,
  defineChain,
  fallback,
  type Hex,
  type PublicClient,
  type RpcTransactionReceipt,
  type Transport,
} from 'viem'
import { isAnswer } from './answers.ts'
import { ChainProof, type EndpointState, endpointLabel } from './chain-proof.ts'
import type { ChainSet } from './chain-set.ts'
import type { Chain } from './chains.ts'
import { NewHeads } from './push/new-heads.ts'
import { type PushState, ReceiptPush } from './push/receipt-push.ts'
import { rpcTransport } from './rpc-transport.ts'

/** One JSON-RPC request to a node. */
export interface ChainCall {
  readonly network: Caip2
  readonly method: string
  readonly url: string
  /** Whether an error is the node's own answer rather than a failure on the way. */
  readonly isAnswer: (error: unknown) => boolean
}

/** Wraps each request to a node, for example to measure it. The answer is passed through. */
export type AroundChainCall = <Answer>(call: ChainCall, ask: () => Promise<Answer>) => Promise<Answer>

/** Observers of a run's requests to its chains. */
export interface ChainWatch {
  readonly around: AroundChainCall
  /** Called whenever an endpoint proves its chain, loses its proof, or turns out to be another chain's. */
  readonly endpoint: (state: EndpointState) => void
  /** Called when it is found how an endpoint reports transactions' outcomes, and when that changes. */
  readonly push: (state: PushState) => void
}

/** How a run reaches its chains. */
export interface ChainClientSettings {
  readonly chains: ChainSet
  /** RPC URLs per network, the preferred one first; the next is tried when one fails. */
  readonly rpcUrls: Readonly<Record<Caip2, readonly string[]>>
  /** The longest wait for one HTTP answer of a node, in milliseconds; default 4000. */
  readonly timeoutMs?: number
  /** How often one node is retried before the next one is asked; default 1. */
  readonly retryCount?: number
  readonly watch?: Partial<ChainWatch>
}

/** A chain's reader, which also submits transactions. */
export interface ChainClient extends PublicClient {
  /**
   * Submits a signed transaction to the first endpoint that accepts it. A node with EIP-7966 answers once it is in a
   * block, or in the one it is building.
   * @returns its receipt; null where the node accepted it and reports no more
   * @throws the last endpoint's error, or that none answered; the transaction may be on its way nonetheless
   */
  readonly submit: (raw: Hex) => Promise<RpcTransactionReceipt | null>
  /** Pushed by endpoints that accepted a transaction but send no receipts: each is a reason to ask for them. */
  readonly heads: NewHeads
  /** Ends the endpoints' push subscriptions. */
  readonly close: () => void
}

/** One per served chain, by CAIP-2. */
export type ChainClients = ReadonlyMap<Caip2, ChainClient>

const TIMEOUT_MS = 4000

/**
 * Readers of all chains of a run. Each endpoint proves its chain id before any of its answers is used, and again after
 * a failure; one of another chain is skipped until it proves right. Requests made in the same tick travel as one
 * JSON-RPC batch, so a `Promise.all` of reads is one round trip. Nothing is sent before the first read.
 * @throws Error that names each served network without an RPC URL
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
export function clientOf(clients: ChainClients, network: Caip2): ChainClient {
  const client = clients.get(network)
  if (!client) throw new Error(`${network} is not served here`)
  return client
}

/** The chain in the form that viem's clients and wallets take. */
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
  { rpcUrls, timeoutMs = TIMEOUT_MS, retryCount = 1, watch = {} }: ChainClientSettings,
): ChainClient {
  const { network } = chain
  const urls = rpcUrls[network] ?? []
  const heads = new NewHeads()
  const endpoints = urls.map((url, at): Endpoint => {
    const endpoint = endpointLabel(at + 1, url)
    const measured = (transport: Transport) =>
      watch.around ? within(watch.around, { network, url }, transport) : transport
    return {
      transport: measured(rpcTransport(url, { timeoutMs, retryCount, isBatched: true })),
      // An answer that waits for a block must not hold up the others of a batch.
      submitting: measured(rpcTransport(url, { timeoutMs, retryCount: 0, isBatched: false })),
      proof: new ChainProof({ ...chain, endpoint }, watch.endpoint),
      push: new ReceiptPush({ network, endpoint }, url, { onChange: watch.push, onHead: () => heads.push() }),
    }
  })
  const begin = once((options: TransportOptions) => {
    for (const { transport, proof } of endpoints) proof.hold(askChainId(transport(options))).catch(() => {})
  })
  const settings = {
    chain: viemChain(chain, urls),
    pollingInterval: Math.ceil(chain.blockTimeMs / 2),
    // A contract may answer a call with URLs to be fetched (ERC-3668). Anyone may name us a contract.
    ccipRead: false as const,
  }
  const inTurn = (transports: readonly Transport[]) => fallback(transports, { retryCount: 0 })
  const reader = createPublicClient({ ...settings, transport: inTurn(endpoints.map((one) => proven(one, begin))) })
  const sender = createClient({ ...settings, transport: inTurn(endpoints.map((one) => pushing(one, begin))) })
  const submit = (raw: Hex) =>
    sender.request<Submit>({ method: 'eth_sendRawTransactionSync', params: [raw] }, { retryCount: 0 })
  const close = () => {
    for (const { push } of endpoints) push.close()
  }
  return { ...reader, submit, heads, close }
}

interface Submit {
  readonly Method: 'eth_sendRawTransactionSync'
  readonly Parameters: [raw: Hex]
  readonly ReturnType: RpcTransactionReceipt | null
}

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

interface Endpoint {
  readonly transport: Transport
  readonly submitting: Transport
  readonly proof: ChainProof
  readonly push: ReceiptPush
}

type TransportOptions = Parameters<Transport>[0]

const askChainId =
  ({ request }: ReturnType<Transport>) =>
  () =>
    request({ method: 'eth_chainId' })

/**
 * Lets requests through once the endpoint has proven its chain id. viem's fallback opens a transport for each request.
 * @param begin called at each request: at the first one all endpoints of the chain are asked, so that a foreign one is
 * known before it is needed
 */
const proven =
  (
    { transport, proof }: Pick<Endpoint, 'transport' | 'proof'>,
    begin: (options: TransportOptions) => void,
  ): Transport =>
  (options) => {
    const opened = transport(options)
    const request = (async (asked, how) => {
      begin(options)
      await proof.hold(askChainId(opened))
      try {
        return await opened.request(asked, how)
      } catch (error) {
        if (!isAnswer(error)) proof.lost()
        throw error
      }
    }) as typeof opened.request
    return { ...opened, request }
  }

/** Sends transactions, each in the way that its endpoint supports. */
const pushing =
  ({ submitting, proof, push }: Endpoint, begin: (options: TransportOptions) => void): Transport =>
  (options) => {
    const opened = proven({ transport: submitting, proof }, begin)(options)
    const request = ((asked: { readonly params: [raw: Hex] }) =>
      push.submit(opened.request, asked.params[0])) as typeof opened.request
    return { ...opened, request }
  }

function once<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
  let done = false
  return (...args) => {
    if (done) return
    done = true
    work(...args)
  }
}
