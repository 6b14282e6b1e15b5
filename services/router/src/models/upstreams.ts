import { readFile } from 'node:fs/promises'
import { type Dispatcher, Pool } from 'undici'
import type { UpstreamEntry } from '../domain/model.ts'
import type { Surface } from '../domain/surface.ts'

/** Where each surface stands below the base of an upstream. */
const PATHS: Readonly<Record<Surface | 'countTokens', string>> = {
  chat: '/chat/completions',
  responses: '/responses',
  embeddings: '/embeddings',
  messages: '/messages',
  countTokens: '/messages/count_tokens',
}

/** What versions of Anthropic's API have in common: the oldest that is still served. */
const ANTHROPIC_VERSION = '2023-06-01'
const CONNECTIONS = 128

/** A call as an upstream gets it. */
export interface UpstreamCall {
  readonly surface: keyof typeof PATHS
  /** JSON. */
  readonly body: string
  readonly signal: AbortSignal
}

export type UpstreamAnswer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>

/** The connections to model providers, a pool for each base URL. */
export class Upstreams {
  readonly #pools = new Map<string, Pool>()

  /** Sends a call. @throws Error when no head of an answer comes, also because the signal aborted */
  async send(upstream: UpstreamEntry, { surface, body, signal }: UpstreamCall): Promise<UpstreamAnswer> {
    const { origin, pathname } = new URL(upstream.baseUrl)
    return this.#poolOf(origin, upstream).request({
      method: 'POST',
      path: `${pathname.replace(/\/$/, '')}${PATHS[surface]}`,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...credentialOf(upstream.shape, await keyOf(upstream)),
      },
      body,
      signal,
      headersTimeout: upstream.firstByteTimeoutMs,
      bodyTimeout: upstream.idleTimeoutMs,
    })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
  }

  #poolOf(origin: string, { connectTimeoutMs }: UpstreamEntry): Pool {
    const known = this.#pools.get(origin)
    if (known) return known
    const pool = new Pool(origin, { connections: CONNECTIONS, connect: { timeout: connectTimeoutMs } })
    this.#pools.set(origin, pool)
    return pool
  }
}

/** The credential of an upstream: an environment variable, or a file as secrets are mounted; none where it wants none. */
async function keyOf({ apiKeyEnv, apiKeyFile }: UpstreamEntry): Promise<string | undefined> {
  if (apiKeyEnv !== undefined) return process.env[apiKeyEnv]
  return apiKeyFile === undefined ? undefined : (await readFile(apiKeyFile, 'utf8')).trim()
}

function credentialOf(shape: UpstreamEntry['shape'], key: string | undefined): Record<string, string> {
  const version: Record<string, string> = shape === 'anthropic' ? { 'anthropic-version': ANTHROPIC_VERSION } : {}
  if (key === undefined) return version
  return shape === 'anthropic' ? { ...version, 'x-api-key': key } : { authorization: `Bearer ${key}` }
}
