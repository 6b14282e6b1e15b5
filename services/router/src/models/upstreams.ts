import { type Dispatcher, Pool } from 'undici'
import type { UpstreamEntry } from '../domain/model.ts'
import type { Surface } from '../domain/surface.ts'
import { UpstreamKeys } from './upstream-keys.ts'

/** The path of each surface below the base URL of an upstream. */
const PATHS: Readonly<Record<Surface | 'countTokens', string>> = {
  chat: '/chat/completions',
  responses: '/responses',
  embeddings: '/embeddings',
  messages: '/messages',
  countTokens: '/messages/count_tokens',
}

/** The oldest version of Anthropic's API that is still served: what all versions have in common. */
const ANTHROPIC_VERSION = '2023-06-01'
const CONNECTIONS = 128

/** A call as sent to an upstream. */
export interface UpstreamCall {
  readonly surface: keyof typeof PATHS
  /** JSON. */
  readonly body: string
  /** The client's API headers; without a version, the oldest one is used. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whether its answer begins only when all of it is written. */
  readonly isWhole?: boolean
  readonly signal: AbortSignal
}

export type UpstreamAnswer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>

/** How to reach an upstream, according to its entry; computed once per version of the file. */
interface Address {
  readonly origin: string
  readonly basePath: string
  /** Upstreams with equal connection settings share connections. */
  readonly pool: string
}

/** The connections to model providers. */
export class Upstreams {
  readonly #keys = new UpstreamKeys()
  readonly #pools = new Map<string, Pool>()
  readonly #closing = new Set<Pool>()
  readonly #addresses = new WeakMap<UpstreamEntry, Address>()

  /** Sends a call. @throws Error if no response head arrives, including when the signal aborts */
  send(
    upstream: UpstreamEntry,
    { surface, body, headers, isWhole = false, signal }: UpstreamCall,
  ): Promise<UpstreamAnswer> {
    const { firstByteTimeoutMs, wholeTimeoutMs } = upstream
    return this.#request(upstream, {
      ...{ method: 'POST', path: PATHS[surface], body, signal },
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      headersTimeout: isWhole ? Math.max(firstByteTimeoutMs, wholeTimeoutMs) : firstByteTimeoutMs,
    })
  }

  /** Asks which models an upstream has; an API with pages is asked for all of them on one. */
  list(upstream: UpstreamEntry, signal: AbortSignal): Promise<UpstreamAnswer> {
    const path = upstream.shape === 'anthropic' ? '/models?limit=1000' : '/models'
    return this.#request(upstream, { method: 'GET', path, signal, headers: { accept: 'application/json' } })
  }

  /** @param request its path below the upstream's base */
  async #request(
    upstream: UpstreamEntry,
    request: Dispatcher.RequestOptions & { headers: Record<string, string> },
  ): Promise<UpstreamAnswer> {
    const key = await this.#keys.keyOf(upstream)
    const address = this.#addressOf(upstream)
    return this.#poolOf(address, upstream).request({
      headersTimeout: upstream.firstByteTimeoutMs,
      ...request,
      path: `${address.basePath}${request.path}`,
      headers: { ...versionOf(upstream.shape), ...request.headers, ...credentialOf(upstream.shape, key) },
      bodyTimeout: upstream.idleTimeoutMs,
    })
  }

  /**
   * Adapts to the upstreams of a new version of the file and to their key files: pools that are no longer needed take
   * no new calls and close after the last one.
   * @returns the upstreams whose key changed
   */
  async refresh(upstreams: readonly UpstreamEntry[]): Promise<UpstreamEntry[]> {
    const needed = new Set(upstreams.map((upstream) => this.#addressOf(upstream).pool))
    for (const [name, pool] of [...this.#pools]) {
      if (needed.has(name)) continue
      this.#pools.delete(name)
      this.#closing.add(pool)
      void pool.close().finally(() => this.#closing.delete(pool))
    }
    return this.#keys.refresh(upstreams)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values(), ...this.#closing].map((pool) => pool.destroy()))
  }

  #addressOf(upstream: UpstreamEntry): Address {
    const known = this.#addresses.get(upstream)
    if (known) return known
    const { origin, pathname } = new URL(upstream.baseUrl)
    const pool = `${origin} ${upstream.connectTimeoutMs}`
    const address = { origin, basePath: pathname.replace(/\/$/, ''), pool }
    this.#addresses.set(upstream, address)
    return address
  }

  #poolOf({ pool: name, origin }: Address, { connectTimeoutMs }: UpstreamEntry): Pool {
    const known = this.#pools.get(name)
    if (known) return known
    const pool = new Pool(origin, { connections: CONNECTIONS, connect: { timeout: connectTimeoutMs } })
    this.#pools.set(name, pool)
    return pool
  }
}

const versionOf = (shape: UpstreamEntry['shape']): Record<string, string> =>
  shape === 'anthropic' ? { 'anthropic-version': ANTHROPIC_VERSION } : {}

function credentialOf(shape: UpstreamEntry['shape'], key: string | undefined): Record<string, string> {
  if (key === undefined) return {}
  return shape === 'anthropic' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` }
}
