import { type Json, listOf, objectOf } from '../json.ts'

/**
 * What an answer, or an event of a stream, says went wrong: its own error, or that of its choices if each has one.
 * Aggregators answer 200 as soon as a model has begun, and name its failure in either place.
 * @source OpenRouter API, errors; NonStreamingChoice, StreamingChoice
 */
export function errorIn({ error, choices }: Json): unknown {
  if (error) return error
  const all = listOf(choices)
  return all.every((choice) => choice.error) ? all[0]?.error : undefined
}

/** Whose failure an error is that an upstream names within an answer. */
export type Failure = 'of_request' | 'of_upstream'

const UPSTREAMS: ReadonlySet<unknown> = new Set([
  ...['server_error', 'api_error', 'overloaded_error', 'timeout_error', 'rate_limit_exceeded', 'rate_limit_error'],
  ...['authentication_error', 'permission_error', 'billing_error', 'insufficient_quota'],
])
const REFUSALS: ReadonlySet<unknown> = new Set([401, 402, 403, 408, 429])

/**
 * Whose failure an error is. One that does not say it is taken for that of the request: a client could otherwise have an
 * upstream passed over for all others.
 * @source OpenRouter API, errors; OpenAI API, ResponseErrorCode; Anthropic API, errors
 */
export function failureOf(error: unknown): Failure {
  const { type, code, status } = objectOf(error)
  const isOfUpstream = [type, code, status].some(
    (said) => UPSTREAMS.has(said) || REFUSALS.has(said) || (typeof said === 'number' && said >= 500),
  )
  return isOfUpstream ? 'of_upstream' : 'of_request'
}
