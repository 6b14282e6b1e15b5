import type { HttpMethod } from '@callboard/contract'
import type { HeaderValue } from '@callboard/x402'
import { Client } from 'undici'
import { codeOf, type FailureState, failureState, GuardError } from './failure.ts'
import { type ConnectorSettings, vettedConnector } from './vetted-connector.ts'

/** How strangers' servers are met. */
export interface Guard extends ConnectorSettings {
  /** From the first packet to the last byte, so that a slow drip ends too. */
  readonly totalTimeoutMs: number
  readonly userAgent: string
}

export interface GuardedRequest {
  readonly url: URL
  readonly method: HttpMethod
  /** JSON text. */
  readonly body?: string
  readonly reads: ReadBody
}

/** The body that is read; at every other status it is left where it is. */
export interface ReadBody {
  readonly status: number
  /** As they travel; a longer body is `too_large`. */
  readonly maxBytes: number
}

export type Fetched =
  | {
      readonly ok: true
      readonly status: number
      readonly headers: Readonly<Record<string, HeaderValue>>
      /** The body that was to be read, as it travelled; empty at another status. */
      readonly bodyText: string
      /** From request to the head of the answer. */
      readonly latencyMs: number
    }
  | { readonly ok: false; readonly state: FailureState }

/** One origin over one connection, one request at a time. */
export interface GuardedOrigin {
  /** @throws the signal's reason when the caller gave up; all else that goes wrong is a state */
  fetch(request: GuardedRequest, signal?: AbortSignal): Promise<Fetched>
  close(): Promise<void>
}

/** Real sellers put a whole catalogue into `PAYMENT-REQUIRED`; stock clients stop at 16 KiB. */
const MAX_HEADER_BYTES = 128 * 1024

/** A server may close a kept connection just when we use it again; that says nothing of the endpoint. */
const CLOSED_MEANWHILE: ReadonlySet<string | undefined> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/**
 * The one way to strangers' URLs. Carries no credentials or cookies, knows no proxy, follows no redirect, decodes no
 * body, and reads no more than its caps.
 */
export function guardedOrigin({ protocol, origin, port }: URL, guard: Guard): GuardedOrigin {
  const refused = protocol !== 'http:' && protocol !== 'https:'
  const connect = vettedConnector(Number(port) || (protocol === 'https:' ? 443 : 80), guard)
  let client: Client | undefined
  let answered = 0

  const connected = () => {
    client ??= new Client(origin, {
      connect,
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: guard.totalTimeoutMs,
      bodyTimeout: guard.totalTimeoutMs,
    })
    return client
  }

  async function drop(): Promise<void> {
    const dropped = client
    client = undefined
    answered = 0
    await dropped?.destroy().catch(() => {})
  }

  async function fetch(request: GuardedRequest, signal?: AbortSignal): Promise<Fetched> {
    const { url } = request
    if (refused || url.username !== '' || url.password !== '') return { ok: false, state: 'refused_target' }
    if (url.origin !== origin) throw new Error(`${url.origin} is not the origin this connection is for`)
    const reused = answered > 0
    try {
      const fetched = await within(guard.totalTimeoutMs, signal, (over) =>
        exchange(connected(), request, guard.userAgent, over),
      )
      answered += 1
      return fetched
    } catch (error) {
      await drop()
      signal?.throwIfAborted()
      if (reused && CLOSED_MEANWHILE.has(codeOf(error))) return fetch(request, signal)
      return { ok: false, state: failureState(error) }
    }
  }

  return { fetch, close: drop }
}

async function exchange(
  client: Client,
  { url, method, body, reads }: GuardedRequest,
  userAgent: string,
  signal: AbortSignal,
): Promise<Fetched> {
  const started = performance.now()
  const answer = await client.request({
    method,
    path: `${url.pathname}${url.search}`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body ?? null,
    signal,
  })
  const latencyMs = Math.round((performance.now() - started) * 10) / 10
  const { statusCode: status, headers } = answer
  if (status === reads.status) {
    return { ok: true, status, headers, bodyText: await cappedText(answer.body, reads.maxBytes), latencyMs }
  }
  answer.body.on('error', () => {}).destroy()
  return { ok: true, status, headers, bodyText: '', latencyMs }
}

async function cappedText(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new GuardError('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Gives work its time and ends it when the caller gives up. Undici notices an abort only once it is connected; a name
 * that never resolves must not outlive the deadline. A timer that is taken back costs far less than a signal that is not.
 * @throws GuardError `timeout` when the time is over, and the signal's reason
 */
async function within<T>(ms: number, signal: AbortSignal | undefined, work: (over: AbortSignal) => Promise<T>) {
  const over = new AbortController()
  const ended = Promise.withResolvers<never>()
  const end = (reason: unknown) => {
    over.abort(reason)
    ended.reject(reason)
  }
  const giveUp = () => end(signal?.reason)
  const timer = setTimeout(() => end(new GuardError('timeout')), ms)
  signal?.addEventListener('abort', giveUp, { once: true })
  if (signal?.aborted) giveUp()
  const working = work(over.signal)
  try {
    return await Promise.race([working, ended.promise])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
    working.catch(() => {})
  }
}
