import { pause } from '@callboard/runtime'
import type { EndpointSettings } from './endpoint-settings.ts'
import { post } from './http.ts'
import { pauseBefore } from './pause-before.ts'
import { ProviderError } from './provider-error.ts'
import { resultsIn } from './results-in.ts'

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

const PARALLEL = 4

/**
 * Makes the calls, in batches where there are several, and returns their results in the same order.
 * @throws ProviderError of a call that has no result
 */
export async function callAll(
  endpoint: EndpointSettings,
  calls: readonly RpcCall[],
  signal: AbortSignal,
): Promise<unknown[]> {
  const results: unknown[] = []
  const size = endpoint.batchSize
  for (let at = 0; at < calls.length; at += size * PARALLEL) {
    const wave = Array.from({ length: PARALLEL }, (_, lane) => calls.slice(at + lane * size, at + (lane + 1) * size))
    const batches = wave.filter((batch) => batch.length > 0)
    const answers = await Promise.all(batches.map((batch) => askAgain(endpoint, batch, signal)))
    for (const answer of answers) results.push(...answer)
  }
  return results
}

/** A step makes many requests, so one that fails by chance is retried before the step is given up. */
async function askAgain(
  endpoint: EndpointSettings,
  calls: readonly RpcCall[],
  signal: AbortSignal,
): Promise<unknown[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await measured(endpoint, calls, () => ask(endpoint, calls, signal))
    } catch (error) {
      const pauseMs = error instanceof ProviderError ? pauseBefore(error, attempt) : undefined
      if (pauseMs === undefined) throw error
      await pause(pauseMs, signal)
    }
  }
}

/** The calls of a batch share one method. */
const measured = <Answer>(
  { around, network, url }: EndpointSettings,
  [first]: readonly RpcCall[],
  ask: () => Promise<Answer>,
) => around({ network, url, method: first?.method ?? 'none', isAnswer }, ask)

const isAnswer = (error: unknown) => error instanceof ProviderError && error.fault === 'refused'

async function ask(endpoint: EndpointSettings, calls: readonly RpcCall[], signal: AbortSignal): Promise<unknown[]> {
  const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
  const answer = await post(endpoint, JSON.stringify(requests.length === 1 ? requests[0] : requests), signal)
  return resultsIn(answer, calls)
}
