import type { Readable } from 'node:stream'
import type { HttpMethod } from '@callboard/contract'
import type { HeaderValue } from '@callboard/x402'
import { Client } from 'undici'
import { codingsOf, decodedText } from './decoded-body.ts'
import { codeOf, type Failure, failureOf, GuardError } from './failure.ts'
import { type ConnectorSettings, vettedConnector } from './vetted-connector.ts'
import { wireCap } from './wire-cap.ts'

/** How third parties' servers are met. */
export interface Guard extends ConnectorSettings {
  /** From the first packet to the last byte, so that a slow drip ends too. */
  readonly totalTimeoutMs: number
  readonly userAgent: string
  /** Headers by which a request shows who asks; absent where nothing is signed. */
  readonly sign?: ((url: URL) => Readonly<Record<string, string>>) | undefined
}

export interface GuardedRequest {
  readonly url: URL
  readonly method: HttpMethod
  /** JSON text. */
  readonly body?: string
  /** Beside those of every request, and instead of its `accept`; who gives them bounds them. */
  readonly headers?: Readonly<Record<string, string>>
  readonly reads: ReadBody
}

/** The body that is read. */
export interface ReadBody {
  readonly status: number
  /** As they travel and once decoded; a longer body is `too_large`. */
  readonly maxBytes: number
  /** Of a body at any other status so much is read as comes at once, for what it says of the refusal; absent: nothing. */
  readonly excerptBytes?: number
  /** Told each part of a body that is read whole; where it answers true, the rest is not waited for. */
  readonly until?: (chunk: Buffer) => boolean
}

export type Fetched =
  | {
      readonly ok: true
      readonly status: number
      readonly headers: Readonly<Record<string, HeaderValue>>
      /** The body that was to be read, as the stock client would read it; at another status its beginning, or nothing. */
      readonly bodyText: string
      /** From request to the head of the answer. */
      readonly latencyMs: number
    }
  | { readonly ok: false; readonly failure: Failure }

/** One origin over one connection, one request at a time. */
export interface GuardedOrigin {
  /** @throws the signal's reason when the caller gave up; all else that goes wrong is a state */
  fetch(request: GuardedRequest, signal?: AbortSignal): Promise<Fetched>
  close(): Promise<void>
}

/** Real sellers put a whole catalogue into `PAYMENT-REQUIRED`; stock clients stop at 16 KiB. */
const MAX_HEADER_BYTES = 128 * 1024
/** Interim responses (RFC 9110, 15.2) before the answer: a 103 or two, or a 102 now and then. */
const MAX_INTERIM_RESPONSES = 8
/** What one answer may take on the wire: a head, a body in small chunks, and interim responses beside it. */
const maxWireBytes = ({ maxBytes }: ReadBody): number => 2 * (MAX_HEADER_BYTES + maxBytes)

/** How long the beginning of a body that nothing depends on is waited for. */
const EXCERPT_WITHIN_MS = 500
/** How long the end of a body is waited for whose rest is not read: with it the connection serves the next request. */
const ENDS_WITHIN_MS = 100

/** A server may close a kept connection just when we use it again; that says nothing of the endpoint. */
const CLOSED_MEANWHILE: ReadonlySet<string | undefined> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/**
 * The one way to third parties' URLs. Carries no credentials or cookies, knows no proxy, follows no redirect, and reads no
 * more than its caps, which hold for decoded bodies too.
 */
export function guardedOrigin({ protocol, origin, port }: URL, guard: Guard): GuardedOrigin {
  const refused = protocol !== 'http:' && protocol !== 'https:'
  const wire = wireCap(vettedConnector(port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port), guard))
  let client: Client | undefined
  let answered = 0

  const connected = () => {
    client ??= new Client(origin, {
      connect: wire.connect,
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
    if (refused || url.username !== '' || url.password !== '') return { ok: false, failure: 'refused_target' }
    if (url.origin !== origin) throw new Error(`${url.origin} is not the origin this connection is for`)
    const reused = answered > 0
    wire.allow(maxWireBytes(request.reads))
    try {
      const fetched = await within(guard.totalTimeoutMs, signal, (over) => exchange(connected(), request, guard, over))
      answered += 1
      return fetched
    } catch (error) {
      await drop()
      signal?.throwIfAborted()
      if (reused && CLOSED_MEANWHILE.has(codeOf(error))) return fetch(request, signal)
      return { ok: false, failure: failureOf(error) }
    }
  }

  return { fetch, close: drop }
}

async function exchange(
  client: Client,
  { url, method, body, headers: asked, reads }: GuardedRequest,
  { userAgent, sign }: Pick<Guard, 'userAgent' | 'sign'>,
  signal: AbortSignal,
): Promise<Fetched> {
  const started = performance.now()
  let interim = 0
  const answer = await client.request({
    method,
    path: `${url.pathname}${url.search}`,
    headers: {
      accept: 'application/json',
      ...asked,
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      ...sign?.(url),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body ?? null,
    signal,
    onInfo: () => {
      interim += 1
      if (interim > MAX_INTERIM_RESPONSES) throw new GuardError('too_large')
    },
  })
  const latencyMs = Math.round((performance.now() - started) * 10) / 10
  const { statusCode: status, headers } = answer
  const codings = codingsOf(headers['content-encoding'])
  if (status === reads.status) {
    const bytes = await cappedBytes(answer.body, reads)
    return { ok: true, status, headers, bodyText: decodedText(bytes, codings, reads.maxBytes), latencyMs }
  }
  const bytes = reads.excerptBytes && codings.length === 0 ? await excerpt(answer.body, reads.excerptBytes) : undefined
  answer.body.on('error', () => {}).destroy()
  return { ok: true, status, headers, bodyText: bytes ? decodedText(bytes, [], bytes.length) : '', latencyMs }
}

async function cappedBytes(body: Readable, { maxBytes, until }: ReadBody): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  let isEnough = false
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > maxBytes) throw new GuardError('too_large')
    chunks.push(chunk)
    isEnough = until?.(chunk) ?? false
    if (isEnough) break
  }
  if (isEnough) await letEnd(body)
  return Buffer.concat(chunks)
}

/** Leaves the rest of a body unread. One that does not end soon takes its connection with it. */
async function letEnd(body: Readable): Promise<void> {
  const { over } = ending(body, ENDS_WITHIN_MS)
  body.on('error', () => {}).resume()
  await over
  body.destroy()
}

/** The beginning of a body, as far as it came in time. That it breaks off changes nothing. */
async function excerpt(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  const { over, enough } = ending(body, EXCERPT_WITHIN_MS)
  body.on('data', (chunk: Buffer) => {
    size += chunk.length
    chunks.push(chunk)
    if (size >= maxBytes) enough()
  })
  await over
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

/** `over` when a body is, however it ends, when its time is, or once there is `enough` of it. */
function ending(body: Readable, withinMs: number) {
  const { promise, resolve: enough } = Promise.withResolvers<void>()
  const timer = setTimeout(enough, withinMs)
  body.once('close', enough).once('error', () => enough())
  return { over: promise.finally(() => clearTimeout(timer)), enough }
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
