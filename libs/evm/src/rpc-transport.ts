import { STATUS_CODES } from 'node:http'
import { batchByTurn } from '@callboard/values'
import { Agent, errors, request } from 'undici'
import { createTransport, HttpRequestError, RpcRequestError, TimeoutError, type Transport } from 'viem'
import { withoutCredentials } from './without-credentials.ts'

/** The longest answer of a node that is read. */
const MAX_ANSWER_BYTES = 10 * 1024 * 1024
/** The most requests of one JSON-RPC batch. */
const MOST_TOGETHER = 1_000

const agent = new Agent({ maxResponseSize: MAX_ANSWER_BYTES })

interface RpcBody {
  readonly method: string
  readonly params?: unknown
}

interface Reply {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export interface RpcTransportSettings {
  /** For one HTTP request with its whole answer. */
  readonly timeoutMs: number
  readonly retryCount: number
  /** Whether requests of one turn of the event loop travel as one batch. */
  readonly isBatched: boolean
}

/**
 * JSON-RPC over HTTP, with the errors of viem's own `http`. That one spends more time on the objects of the web's fetch
 * than the request takes, and waits a millisecond for the rest of a batch; this one waits for the end of its turn.
 * Redirects are not followed, since the URL is configured. Answers of a batch are told apart by their ids.
 */
export function rpcTransport(url: string, { timeoutMs, retryCount, isBatched }: RpcTransportSettings): Transport {
  const { post, shown } = poster(url, timeoutMs)
  const ask = isBatched
    ? batchByTurn(post, { most: MOST_TOGETHER, endOfTurn: setImmediate })
    : async (body: RpcBody) => (await post([body]))[0] as Reply
  const asked = async ({ method, params }: RpcBody) => {
    const body = { method, params }
    const { error, result } = await ask(body)
    if (error) throw new RpcRequestError({ body, error, url: shown })
    return result
  }
  const config = { key: 'http', name: 'JSON-RPC over HTTP', type: 'http', retryCount, timeout: timeoutMs } as const
  return () =>
    createTransport({ ...config, request: asked as Parameters<typeof createTransport>[0]['request'] }, { url: shown })
}

type Post = (bodies: readonly RpcBody[]) => Promise<readonly Reply[]>

/** @returns what posts requests and returns their replies in the same order, and as much of the URL as errors may show */
function poster(configured: string, timeoutMs: number): { readonly post: Post; readonly shown: string } {
  const { url, headers: credentials } = withoutCredentials(configured)
  const headers = { 'content-type': 'application/json', ...credentials }
  // Providers put their key into the path or the query, and errors are logged.
  const shown = new URL(url).origin
  let lastId = 0
  const once: Post = async (bodies) => {
    const requests = bodies.map((body) => ({ jsonrpc: '2.0', id: ++lastId, ...body }))
    const sent = requests.length === 1 ? requests[0] : requests
    const failed = (details: Partial<ConstructorParameters<typeof HttpRequestError>[0]>) =>
      new HttpRequestError({ body: sent as Record<string, unknown>, url: shown, ...details })
    const gone = new AbortController()
    const timer = setTimeout(() => gone.abort(), timeoutMs)
    try {
      const body = JSON.stringify(sent)
      const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body, signal: gone.signal })
      const text = await answer.body.text()
      const { statusCode: status } = answer
      const replies = repliesIn(text, requests)
      if (replies && (status < 300 || replies.every(isError))) return replies
      const details = status < 300 ? 'the answer is not one of JSON-RPC' : text || (STATUS_CODES[status] ?? '')
      throw failed({ status, details, headers: new Headers(answer.headers as Record<string, string>) })
    } catch (error) {
      if (error instanceof HttpRequestError) throw error
      if (gone.signal.aborted) throw new TimeoutError({ body: sent as Record<string, unknown>, url: shown })
      throw failed({ cause: error as Error })
    } finally {
      clearTimeout(timer)
    }
  }
  /** Asks in halves where the answer to a batch is too long: one contract may fill it, and other requests share it. */
  const post: Post = async (bodies) => {
    try {
      return await once(bodies)
    } catch (error) {
      if (bodies.length === 1 || !isTooLong(error)) throw error
      const middle = Math.ceil(bodies.length / 2)
      return [...(await post(bodies.slice(0, middle))), ...(await post(bodies.slice(middle)))]
    }
  }
  return { post, shown }
}

const isTooLong = (error: unknown): boolean =>
  error instanceof HttpRequestError && error.cause instanceof errors.ResponseExceededMaxSizeError

/** @returns undefined where a request has no reply; an error about a whole batch is the reply to each of its requests */
function repliesIn(text: string, requests: readonly { readonly id: number }[]): readonly Reply[] | undefined {
  const found = parsed(text)
  if (!Array.isArray(found)) {
    const isOne = requests.length === 1 && found?.result !== undefined
    return isOne || isError(found) ? requests.map(() => found as Reply) : undefined
  }
  const byId = new Map(found.map((reply) => [reply?.id, reply]))
  const replies = requests.flatMap(({ id }) => byId.get(id) ?? [])
  const isWhole = replies.length === requests.length
  return isWhole && replies.every((reply) => isError(reply) || reply.result !== undefined) ? replies : undefined
}

const isError = (reply: Reply | undefined): boolean =>
  typeof reply?.error?.code === 'number' && typeof reply.error.message === 'string'

function parsed(text: string): Reply | Reply[] | undefined {
  try {
    return (JSON.parse(text) as Reply | Reply[] | null) ?? undefined
  } catch {
    return undefined
  }
}
