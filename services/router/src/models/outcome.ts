import { SECOND_MS } from '@callboard/values'
import { errors } from 'undici'
import type { Outcome } from '../domain/breaker.ts'
import { NoKeyError } from './upstream-keys.ts'
import type { UpstreamAnswer, UpstreamCall } from './upstreams.ts'

/** Statuses about the request itself, which another upstream would answer with, too. */
const OF_THE_REQUEST: ReadonlySet<number> = new Set([400, 409, 413, 415, 422])

/** Whether a status refuses the request itself. */
export const isOfRequest = (status: number): boolean => OF_THE_REQUEST.has(status)

/** What the head of an answer tells about its upstream. @param now milliseconds since the epoch */
export function outcomeOf({ statusCode: status, headers }: UpstreamAnswer, now: number): Outcome {
  if (status < 300 || isOfRequest(status)) return { kind: 'answered' }
  if (status === 401) return { kind: 'key_refused' }
  if (status === 403) return { kind: 'forbidden' }
  if (status === 404) return { kind: 'model_missing' }
  const retryAfterMs = retryAfterMsOf(headers, now)
  const isBusy = status === 429 || status >= 500
  return isBusy && retryAfterMs !== undefined ? { kind: 'unavailable', retryAfterMs } : { kind: 'failed' }
}

/**
 * What a missing response head tells about an upstream. Of an answer that is not streamed, that it was not complete in
 * time: its client may have asked for that much, and must not have the upstream passed over for others.
 */
export const outcomeOfError = (
  error: unknown,
  { signal, isWhole }: Pick<UpstreamCall, 'signal' | 'isWhole'>,
): Outcome => {
  if (signal.aborted || (isWhole && error instanceof errors.HeadersTimeoutError)) return { kind: 'abandoned' }
  return { kind: error instanceof NoKeyError ? 'key_refused' : 'failed' }
}

/** `Retry-After`, in seconds or as a date, or in milliseconds as OpenAI's upstreams add it. */
function retryAfterMsOf(headers: UpstreamAnswer['headers'], now: number): number | undefined {
  const ms = textOf(headers['retry-after-ms'])
  if (ms !== undefined && /^\d{1,9}(\.\d+)?$/.test(ms)) return Number(ms)
  const after = textOf(headers['retry-after'])
  if (after === undefined) return undefined
  if (/^\d{1,9}(\.\d+)?$/.test(after)) return Number(after) * SECOND_MS
  const date = Date.parse(after)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const textOf = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)?.trim()
