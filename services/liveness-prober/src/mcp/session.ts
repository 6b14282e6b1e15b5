import { isObject } from '@callboard/x402'
import { firstValue } from '../domain/answer.ts'
import type { Fetched, GuardedOrigin } from '../guarded-fetch/index.ts'
import { answerIn, answerWatch, type RpcAnswer, rpcText } from './rpc.ts'

/** A server's response to one request. */
export interface Asked {
  readonly fetched: Fetched
  /** Undefined if the body holds none. */
  readonly answer: RpcAnswer | undefined
}

/** One session with an MCP server over Streamable HTTP: one request after another, nothing in between. */
export interface McpSession {
  /** @throws the signal's reason if the caller gave up */
  ask(method: string, params?: object): Promise<Asked>
  /** Lets the server drop the session. */
  end(): Promise<void>
}

/** The newest revision with a handshake, which is tried first, and the one without. */
const WITH_HANDSHAKE = '2025-11-25'
const WITHOUT_HANDSHAKE = '2026-07-28'
const REVISION = /^\d{4}-\d{2}-\d{2}$/
/** @source MCP 2025-11-25: visible ASCII; the length limit is ours */
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/
const CLIENT = { name: 'CallboardProber', version: '1.0' }

/** How the headers and parameters of a session's requests are formed. */
interface Manner {
  headersOf(method: string, params: object): Record<string, string>
  paramsOf(params: object): object
}

const READS = { status: 200, maxBytes: 256 * 1024, excerptBytes: 4 * 1024 }
const ENDS_WITHIN_MS = 1_000

/**
 * Begins with the handshake that revisions up to 2025-11-25 need; a server that does not know it is asked without.
 * @returns undefined if the server supports neither
 * @throws the signal's reason if the caller gave up
 */
export async function openSession(
  origin: GuardedOrigin,
  url: URL,
  signal: AbortSignal,
): Promise<McpSession | undefined> {
  let lastId = 0
  const post = (body: string, headers: Record<string, string>, until?: (chunk: Buffer) => boolean) =>
    origin.fetch(
      {
        url,
        method: 'POST',
        body,
        headers: { accept: 'application/json, text/event-stream', ...headers },
        reads: until ? { ...READS, until } : READS,
      },
      signal,
    )

  async function asked(method: string, params: object, { headersOf, paramsOf }: Manner): Promise<Asked> {
    lastId += 1
    const id = lastId
    const fetched = await post(rpcText(method, paramsOf(params), id), headersOf(method, params), answerWatch(id))
    const answer = fetched.ok ? answerIn(firstValue(fetched.headers['content-type']), fetched.bodyText, id) : undefined
    return { fetched, answer }
  }

  const hello = await asked(
    'initialize',
    { protocolVersion: WITH_HANDSHAKE, capabilities: {}, clientInfo: CLIENT },
    BARE,
  )
  const agreed = revisionIn(hello.answer)
  if (agreed === undefined) {
    if (!isUnknown(hello)) return undefined
    return { ask: (method, params = {}) => asked(method, params, STATELESS), end: async () => {} }
  }

  const sessionId = hello.fetched.ok ? firstValue(hello.fetched.headers['mcp-session-id']) : ''
  const headers = {
    'mcp-protocol-version': agreed,
    ...(SESSION_ID.test(sessionId) ? { 'mcp-session-id': sessionId } : {}),
  }
  const manner: Manner = { ...BARE, headersOf: () => headers }
  await post(rpcText('notifications/initialized', undefined), headers)
  return {
    ask: (method, params = {}) => asked(method, params, manner),
    async end() {
      if (!('mcp-session-id' in headers)) return
      const over = AbortSignal.timeout(ENDS_WITHIN_MS)
      await origin.fetch({ url, method: 'DELETE', headers, reads: READS }, over).catch(() => {})
    },
  }
}

const BARE: Manner = { headersOf: () => ({}), paramsOf: (params) => params }

/** @source MCP 2026-07-28: every request states its revision, and headers state what is in its body */
const STATELESS: Manner = {
  headersOf: (method, params) => ({
    'mcp-protocol-version': WITHOUT_HANDSHAKE,
    'mcp-method': method,
    ...('name' in params && typeof params.name === 'string' ? { 'mcp-name': headerText(params.name) } : {}),
  }),
  paramsOf: (params) => ({
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': WITHOUT_HANDSHAKE,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': CLIENT,
    },
  }),
}

/** A name in the form of a header: encoded if it is not plain ASCII. @source MCP 2026-07-28 */
const headerText = (text: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`

/** Whether a server does not know the handshake, rather than refusing the caller. */
const isUnknown = ({ fetched, answer }: Asked): boolean =>
  answer?.error !== undefined || (fetched.ok && (fetched.status === 400 || fetched.status === 404))

function revisionIn(answer: RpcAnswer | undefined): string | undefined {
  const revision = isObject(answer?.result) ? answer.result.protocolVersion : undefined
  return typeof revision === 'string' && REVISION.test(revision) ? revision : undefined
}
