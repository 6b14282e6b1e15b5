import type { Readable } from 'node:stream'
import type { HttpMethod } from '@callboard/contract'
import type { HeaderValue } from '@callboard/x402'
import { Client } from 'undici'
import { codingsOf } from '../domain/answer.ts'
import { decodedText } from './decoded-body.ts'
import { codeOf, type Failure, failureOf, GuardError } from './failure.ts'
import { type ConnectorSettings, vettedConnector } from './vetted-connector.ts'
import { wireCap } from './wire-cap.ts'

/** How third parties' servers are accessed. */
export interface Guard extends ConnectorSettings {
  /** From the first packet to the last byte, so that a slow drip also ends. */
  readonly totalTimeoutMs: number
  readonly userAgent: string
  /** Headers that prove who sends a request; absent if requests are not signed. */
  readonly sign?: ((url: URL) => Readonly<Record<string, string>>) | undefined
}

export interface GuardedRequest {
  readonly url: URL
  readonly method: HttpMethod
  /** JSON text. */
  readonly body?: string
  /** Added to those of every request, replacing its `accept`; the caller bounds them. */
  readonly headers?: Readonly<Record<string, string>>
  readonly reads: ReadBody
}

/** Which bodies are read, and how much. */
export interface ReadBody {
  readonly status: number
  /** On the wire and once decoded; a longer body is `too_large`. */
  readonly maxBytes: number
  /** How much of a body at any other status is read, if it arrives at once, to explain the refusal; absent: nothing. */
  readonly excerptBytes?: number
  /** Receives each chunk of a body that is read whole; once it returns true, the rest is not awaited. */
  readonly until?: (chunk: Buffer) => boolean
}

export type Fetched =
  | {
      readonly ok: true
      readonly status: number
      readonly headers: Readonly<Record<string, HeaderValue>>
      /** The requested body, as the stock client would read it; at another status its beginning, or nothing. */
      readonly bodyText: string
      /** From the request to the head of the answer. */
      readonly latencyMs: number
    }
  | { readonly ok: false; readonly failure: Failure }

/** Access to one origin over one connection, one request at a time. */
export interface GuardedOrigin {
  /** @throws the signal's reason if the caller gave up; every other failure is returned */
  fetch(request: GuardedRequest, signal?: AbortSignal): Promise<Fetched>
  close(): Promise<void>
}

/** Real sellers put a whole catalogue into `PAYMENT-REQUIRED`; stock clients accept up to 16 KiB. */
const MAX_HEADER_BYTES = 128 * 1024
/** Interim responses (RFC 9110, 15.2) before the answer: a 103 or two, or an occasional 102. */
const MAX_INTERIM_RESPONSES = 8
/** The most that one answer may take on the wire: a head, a body in small chunks, and interim responses. */
const maxWireBytes = ({ maxBytes }: ReadBody): number => 2 * (MAX_HEADER_BYTES + maxBytes)

/** How long to wait for the beginning of a body that nothing depends on. */
const EXCERPT_WITHIN_MS = 500
/** How long to wait for the end of a body whose rest is not read: once ended, the connection can be reused. */
const ENDS_WITHIN_MS = 100

/** A server may close a kept connection just when we reuse it; that says nothing about the endpoint. */
const CLOSED_MEANWHILE: ReadonlySet<string | undefined> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/**
 * The only way to third parties' URLs. Sends no credentials or cookies, uses no proxy, follows no redirect, and reads
 * no more than its caps, which also hold for decoded bodies.
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

/** Leaves the rest of a body unread. One that does not end soon takes its connection down with it. */
async function letEnd(body: Readable): Promise<void> {
  const { over } = ending(body, ENDS_WITHIN_MS)
  body.on('error', () => {}).resume()
  await over
  body.destroy()
}

/** The beginning of a body, as far as it arrived in time. If it breaks off, the part received is used. */
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

/** `over` resolves when the body ends in any way, the time is up, or `enough` is called. */
function ending(body: Readable, withinMs: number) {
  const { promise, resolve: enough } = Promise.withResolvers<void>()
  const timer = setTimeout(enough, withinMs)
  body.once('close', enough).once('error', () => enough())
  return { over: promise.finally(() => clearTimeout(timer)), enough }
}

/**
 * Limits the time of some work and ends it when the caller gives up. Undici notices an abort only once connected; a
 * name that never resolves must not outlive the deadline. Clearing a timer is far cheaper than an unused abort signal.
 * @throws GuardError `timeout` if the time is up, or the signal's reason
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
