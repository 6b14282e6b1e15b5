import type { HttpMethod, ProbeReport } from '@callboard/contract'
import { type ForeignOfferContext, type HeaderValue, readChallenge } from '@callboard/x402'
import { secondMethod, takesBody } from './domain/method-order.ts'
import { probeResult } from './domain/probe-result.ts'
import { MESSAGES, stateOf } from './domain/probe-state.ts'
import { sampleInput } from './domain/sample-input.ts'
import type { Fetched, GuardedOrigin } from './guarded-fetch/index.ts'

/** One endpoint to look at. */
export interface Endpoint {
  readonly url: URL
  /** As its listing or its caller declares it; absent: found out. */
  readonly method?: HttpMethod | undefined
  readonly inputSchema?: Record<string, unknown> | undefined
}

/** A challenge may stand in the body of a 402, beside a whole catalogue. */
const CHALLENGE = { status: 402, maxBytes: 256 * 1024 }

export type Probed = Omit<ProbeReport, 'checkedAt'> & {
  /** What a 429 or 503 asks for. */
  readonly retryAfterMs: number | null
}

/**
 * Calls an endpoint unpaid, at most twice, and reads its challenge.
 * @throws the signal's reason when the caller gave up
 */
export async function probeEndpoint(
  origin: GuardedOrigin,
  endpoint: Endpoint,
  known: ForeignOfferContext,
  signal?: AbortSignal,
): Promise<Probed> {
  const firstMethod = endpoint.method ?? 'GET'
  const first = await send(origin, endpoint, firstMethod, signal)
  const second = secondMethod(endpoint.method, first)
  if (second) {
    const fetched = await send(origin, endpoint, second, signal)
    if (fetched.ok && fetched.status === 402) return read(fetched, endpoint, second, known)
  }
  return read(first, endpoint, firstMethod, known)
}

const send = (origin: GuardedOrigin, { url, inputSchema }: Endpoint, method: HttpMethod, signal?: AbortSignal) =>
  origin.fetch(
    { url, method, reads: CHALLENGE, ...(takesBody(method) ? { body: sampleInput(inputSchema) } : {}) },
    signal,
  )

function read(fetched: Fetched, { url }: Endpoint, method: HttpMethod, known: ForeignOfferContext): Probed {
  if (!fetched.ok) {
    const { state } = fetched
    return { state, result: null, httpStatus: null, latencyMs: null, message: MESSAGES[state], retryAfterMs: null }
  }
  const challenge = readChallenge(fetched, known)
  const state = stateOf(fetched.status, challenge)
  return {
    state,
    result: probeResult(challenge, url, method, known.tokens),
    httpStatus: fetched.status,
    latencyMs: fetched.latencyMs,
    message: MESSAGES[state],
    retryAfterMs: retryAfterMs(fetched.headers['retry-after']),
  }
}

/** Only the seconds form of `Retry-After` is read. */
function retryAfterMs(value: HeaderValue): number | null {
  const text = [value ?? []].flat()[0] ?? ''
  return /^\d{1,7}$/.test(text) ? Number(text) * 1000 : null
}
