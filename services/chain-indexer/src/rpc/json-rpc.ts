import { pause } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { EndpointSettings } from './endpoint-settings.ts'
import { post } from './http.ts'
import { garbage, ProviderError } from './provider-error.ts'

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

const PARALLEL = 4
const ATTEMPTS = 3
const FIRST_PAUSE_MS = 100
/** A longer `Retry-After` is not sat out within a step. */
const LONGEST_PAUSE_MS = 2 * SECOND_MS

/**
 * Makes the calls, in batches where there are several, and gives their results in the same order.
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

/** A step takes many requests, so one that fails by chance is made again before the step is given up. */
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

/** How long to wait before the next attempt; undefined when there is to be none in this step. */
function pauseBefore({ fault, retryAfterMs }: ProviderError, attempt: number): number | undefined {
  if (attempt >= ATTEMPTS) return undefined
  if (retryAfterMs !== undefined) return retryAfterMs <= LONGEST_PAUSE_MS ? retryAfterMs : undefined
  const isByChance = fault === 'unreachable' || fault === 'http' || fault === 'garbage'
  return isByChance ? FIRST_PAUSE_MS * attempt : undefined
}

/** The calls of a batch are of one method. */
const measured = <Answer>(
  { around, network, url }: EndpointSettings,
  [first]: readonly RpcCall[],
  ask: () => Promise<Answer>,
) => around({ network, url, method: first?.method ?? 'none', isAnswer }, ask)

const isAnswer = (error: unknown) => error instanceof ProviderError && error.fault === 'refused'

async function ask(endpoint: EndpointSettings, calls: readonly RpcCall[], signal: AbortSignal): Promise<unknown[]> {
  const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
  const answer = await post(endpoint, JSON.stringify(requests.length === 1 ? requests[0] : requests), signal)
  const parsed = parseJson(answer.body)
  if (answer.status === 429) throw new ProviderError('rate_limited', 'HTTP 429', answer)
  // Several providers send JSON-RPC errors with 400 and the like: those words say more than the status.
  if (errorOf(parsed)) throw refusal(parsed)
  if (answer.status !== 200) throw new ProviderError('http', `HTTP ${answer.status}`, answer)
  const answers = Array.isArray(parsed) ? parsed : [parsed]
  const byId = new Map(answers.map((one: unknown) => [isObject(one) ? one.id : undefined, one]))
  return requests.map(({ id, method }) => {
    const one = byId.get(id)
    if (errorOf(one)) throw refusal(one)
    if (!isObject(one) || one.result === undefined) throw garbage(`a JSON-RPC answer to ${method}`)
    return one.result
  })
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const errorOf = (answer: unknown) => (isObject(answer) && isObject(answer.error) ? answer.error : undefined)

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const RATE = /rate limit|too many requests|requests? per (second|minute|day)|compute units|quota/i

/** A refusal in the provider's words, cut short: they go into the log. */
function refusal(answer: unknown): ProviderError {
  const { code, message } = errorOf(answer) ?? {}
  const words = typeof message === 'string' ? message.slice(0, 300) : 'without words'
  const fault = code === 429 || RATE.test(words) ? 'rate_limited' : 'refused'
  return new ProviderError(fault, words)
}
