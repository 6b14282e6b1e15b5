import { systemClock } from '@callboard/values'
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Logger } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { ChainSilence } from './chain-silence.ts'
import type { Readiness } from './readiness.ts'

/** One request to a node of a chain. */
export interface ChainCall {
  readonly network: string
  /** The JSON-RPC method. */
  readonly method: string
  /** The node's URL; only its host and port are published, since paths may contain providers' keys. */
  readonly url: string
  /** Whether an error is the node's own answer, not a failure on the way to it. */
  readonly isAnswer: (error: unknown) => boolean
}

/** Measures calls to chains, and adds those within a trace to it. Neither requests nor answers are recorded. */
const measuringChainCalls =
  ({ chainCallSeconds }: Metrics, silence: ChainSilence) =>
  async <Answer>(call: ChainCall, ask: () => Promise<Answer>): Promise<Answer> => {
    const { network, method } = call
    const done = chainCallSeconds.startTimer({ network, method })
    silence.asked(network)
    try {
      const answer = await inSpan(call, ask)
      silence.answered(network)
      done({ outcome: 'ok' })
      return answer
    } catch (error) {
      const isAnswer = call.isAnswer(error)
      if (isAnswer) silence.answered(network)
      done({ outcome: isAnswer ? 'refused' : 'failed' })
      throw error
    }
  }

function inSpan<Answer>({ network, method, url, isAnswer }: ChainCall, ask: () => Promise<Answer>): Promise<Answer> {
  if (!trace.getSpan(context.active())) return ask()
  const { hostname, port, protocol } = new URL(url)
  const attributes = {
    'rpc.system': 'jsonrpc',
    'rpc.method': method,
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    'callboard.network': network,
  }
  return trace
    .getTracer('callboard-chain')
    .startActiveSpan(method, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      try {
        return await ask()
      } catch (error) {
        span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
        if (!isAnswer(error)) span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    })
}

/** Whether an RPC endpoint is of the chain that it is configured for. `endpoint` holds no key. */
export interface EndpointState {
  readonly network: string
  readonly endpoint: string
  readonly state: 'proven' | 'unproven' | 'foreign'
  /** The chain id that a foreign endpoint returned. */
  readonly chainId?: number
}

/** How we learn about a transaction sent to an RPC endpoint; the last resort is polling. */
const RECEIPT_WAYS = ['sync', 'heads', 'poll'] as const

/** How an RPC endpoint reports the outcome of a transaction. `endpoint` holds no key. */
export interface PushState {
  readonly network: string
  readonly endpoint: string
  readonly way: (typeof RECEIPT_WAYS)[number]
}

/** What watching a service's chains needs from the service. */
interface Watched {
  readonly name: string
  readonly metrics: Metrics
  readonly log: Logger
  readonly readiness: Readiness
}

/**
 * Watches a service's requests to its chains: calls are measured, and an endpoint of another chain is reported in the
 * log, in `callboard_rpc_endpoint_foreign` and in `/readyz`. A chain without any usable endpoint makes the process not
 * ready; while another endpoint serves, it is a note.
 */
export function watchingChains({ name, metrics, log, readiness }: Watched) {
  const silence = new ChainSilence(systemClock)
  metrics.collectors.add(`${name} chains`, () => readSilence(metrics, name, silence))
  const states = new Map<string, EndpointState>()
  readiness.add(() => {
    const all = [...states.values()]
    const foreign = all.filter(({ state }) => state === 'foreign')
    const isServed = (network: string) => all.some((one) => one.network === network && one.state === 'proven')
    const said = foreign.map(({ network, endpoint, chainId }) => ({
      network,
      words: `RPC endpoint ${endpoint} of ${network} is of chain id ${chainId} and is left out`,
    }))
    return {
      notReady: said.filter(({ network }) => !isServed(network)).map(({ words }) => words),
      notes: said.filter(({ network }) => isServed(network)).map(({ words }) => words),
    }
  })
  return {
    around: measuringChainCalls(metrics, silence),
    endpoint: (now: EndpointState) => {
      const { network, endpoint, state, chainId } = now
      const before = states.get(`${network} ${endpoint}`)
      states.set(`${network} ${endpoint}`, now)
      if (!before) for (const way of RECEIPT_WAYS) metrics.rpcEndpointPush.set({ network, endpoint, way }, 0)
      metrics.rpcEndpointForeign.set({ network, endpoint }, Number(state === 'foreign'))
      if (state === 'foreign')
        log.error({ network, endpoint, chainId }, 'an RPC endpoint is of another chain and is left out')
      else if (before?.state === 'foreign') log.info({ network, endpoint }, 'an RPC endpoint is of its chain again')
    },
    push: ({ network, endpoint, way: found }: PushState) => {
      for (const way of RECEIPT_WAYS) metrics.rpcEndpointPush.set({ network, endpoint, way }, Number(way === found))
      if (found !== 'sync')
        log.info({ network, endpoint, way: found }, 'an RPC endpoint pushes no receipts; they are asked for')
    },
  }
}

const readSilence = ({ chainSilentSeconds: gauge }: Metrics, service: string, silence: ChainSilence) =>
  [...silence.seconds()].map(([network, value]) => ({ gauge, labels: { service, network }, value }))
