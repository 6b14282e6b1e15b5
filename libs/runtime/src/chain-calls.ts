import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Metrics } from './metrics.ts'

/** One request to a node of a chain. */
export interface ChainCall {
  readonly network: string
  /** The JSON-RPC method. */
  readonly method: string
  /** The node's; only its host and port are told, since keys of providers stand in paths. */
  readonly url: string
  /** Whether an error is the node's own answer, and not a failure on the way to it. */
  readonly isAnswer: (error: unknown) => boolean
}

/** Measures calls to chains, and shows those in a trace that belong to one. What is asked and answered stays untold. */
export const measuringChainCalls =
  ({ chainCallSeconds }: Metrics) =>
  async <Answer>(call: ChainCall, ask: () => Promise<Answer>): Promise<Answer> => {
    const { network, method } = call
    const done = chainCallSeconds.startTimer({ network, method })
    try {
      const answer = await inSpan(call, ask)
      done({ outcome: 'ok' })
      return answer
    } catch (error) {
      done({ outcome: call.isAnswer(error) ? 'refused' : 'failed' })
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
