import { isDeepStrictEqual } from 'node:util'
import {
  type EndpointSample,
  FINDINGS,
  type HttpMethod,
  type ProbeFinding,
  type ProbeReport,
} from '@callboard/contract'
import { type Challenge, readChallenge, sampleInput } from '@callboard/x402'
import type { ProberContext, Resources } from './context.ts'
import { asksToWait, codingsOf } from './domain/answer.ts'
import { findingOf, inWords, redirectTarget } from './domain/finding.ts'
import { allowedMethods, isBeforeTheGate, nextMethod, saysMore, takesBody } from './domain/method-order.ts'
import { type Documented, documented } from './domain/openapi.ts'
import { probeResult } from './domain/probe-result.ts'
import { retryAfterMs } from './domain/retry-after.ts'
import type { Fetched, GuardedOrigin, GuardedRequest } from './guarded-fetch/index.ts'
import { askServer } from './mcp/ask-server.ts'
import { mcpResult } from './mcp/mcp-result.ts'

/** One endpoint to probe. */
export interface Endpoint {
  readonly url: URL
  /** As its listing or its caller declares it; detected if absent. */
  readonly method?: HttpMethod | undefined
  readonly inputSchema?: Record<string, unknown> | undefined
  /** Input that passes its validation, according to its owner. */
  readonly sample?: EndpointSample | undefined
  /** Its owner did not ask for the probe: no method but GET and POST is tried, and no document is read. */
  readonly unsolicited?: true
  /** The origin's OpenAPI document may not be read: its owner did not ask for the probe, and robots.txt forbids it. */
  readonly withoutDocument?: true
}

/** A 402's body may hold the challenge next to a whole catalogue; other bodies' beginnings show who answered. */
const READS = { status: 402, maxBytes: 256 * 1024, excerptBytes: 4 * 1024 }

/** What a probe needs from its service: its clock, and what is known about chains, tokens and documents. */
interface ProbingContext {
  readonly clock: Pick<ProberContext['clock'], 'now'>
  readonly resources: Pick<Resources, 'known' | 'openapi' | 'guard'>
}

export type Probed = Omit<ProbeReport, 'checkedAt'> & {
  /** The wait that a 429 or 503 asks for; null at any other status. */
  readonly retryAfterMs: number | null
  /** Everything that was read; null if there was no answer. */
  readonly challenge: Challenge | null
}

/** One request and its answer. */
interface Tried {
  readonly method: HttpMethod
  readonly fetched: Fetched
}

/**
 * Calls an endpoint unpaid, at most twice, and reads its challenge. If the first call was refused before the gate, the
 * second follows the answer, the owner's sample and the origin's OpenAPI document. An MCP server is asked for the
 * prices of its tools.
 * @throws the signal's reason if the caller gave up
 */
export async function probeEndpoint(
  ctx: ProbingContext,
  origin: GuardedOrigin,
  endpoint: Endpoint,
  signal?: AbortSignal,
): Promise<Probed> {
  const probed = await callEndpoint(ctx, origin, endpoint, signal)
  if (!MAY_BE_MCP.has(probed.finding)) return probed
  const { known, guard } = ctx.resources
  const offers = await askServer(known, origin, endpoint.url, { withinMs: guard.totalTimeoutMs, signal })
  if (!offers) return probed
  const [finding, result] =
    offers.length > 0
      ? (['mcp_tools_sold', mcpResult(endpoint.url, offers)] as const)
      : (['mcp_server', probed.result] as const)
  return { ...probed, finding, ...FINDINGS[finding], result }
}

/** The reference MCP server refuses a request that is not a message in the same way as any JSON-RPC server. */
const MAY_BE_MCP: ReadonlySet<ProbeFinding> = new Set(['mcp_server', 'json_rpc_server'])

async function callEndpoint(
  ctx: ProbingContext,
  origin: GuardedOrigin,
  endpoint: Endpoint,
  signal?: AbortSignal,
): Promise<Probed> {
  const { method, sample, unsolicited, withoutDocument } = endpoint
  const firstMethod = method ?? (sample?.body || sample?.schema ? 'POST' : 'GET')
  const request = requestOf(endpoint, firstMethod)
  const first = { method: firstMethod, fetched: await origin.fetch(request, signal) }
  if (!first.fetched.ok || !isBeforeTheGate(first.fetched.status)) return read(ctx, first, endpoint)

  const { status, headers } = first.fetched
  const allowed = status === 405 ? allowedMethods(headers.allow) : []
  const asksDocument = !unsolicited && !withoutDocument && allowed.length === 0
  const document = asksDocument
    ? documented(await ctx.resources.openapi.of(origin, endpoint.url, signal), endpoint.url, method)
    : undefined
  const next = method ?? nextMethod(allowed, document?.operation?.method)
  const again = requestOf(endpoint, next, document)
  if (isDeepStrictEqual(again, request) || (unsolicited && next !== 'POST')) return read(ctx, first, endpoint, document)
  const second = { method: next, fetched: await origin.fetch(again, signal) }
  const isBetter = second.fetched.ok && (second.fetched.status === 402 || saysMore(second.fetched.status, status))
  return read(ctx, isBetter ? second : first, endpoint, document)
}

/** A request by its owner's sample, or else by the origin's document, or else by the known schema. */
function requestOf({ url, inputSchema, sample }: Endpoint, method: HttpMethod, document?: Documented): GuardedRequest {
  const operation = document?.operation?.method === method ? document.operation : undefined
  const asked = new URL(url)
  for (const [name, value] of Object.entries({ ...operation?.query, ...sample?.query })) {
    if (!asked.searchParams.has(name)) asked.searchParams.set(name, value)
  }
  const given = sample?.body ?? (sample?.schema ? undefined : operation?.body)
  const schema = sample?.schema ?? operation?.inputSchema ?? inputSchema
  const headers = { ...operation?.headers, ...sample?.headers }
  const body = given === undefined ? sampleInput(schema) : JSON.stringify(given)
  return {
    url: asked,
    method,
    reads: READS,
    headers,
    ...(takesBody(method) ? { body } : {}),
  }
}

/** The parts of a result that need an answer. */
export const NO_ANSWER = { result: null, httpStatus: null, latencyMs: null, retryAfterMs: null, challenge: null }

function read(
  { clock, resources }: ProbingContext,
  { method, fetched }: Tried,
  { url }: Endpoint,
  document?: Documented,
): Probed {
  if (!fetched.ok) return { finding: fetched.failure, ...FINDINGS[fetched.failure], ...NO_ANSWER }
  const { status, headers, latencyMs } = fetched
  const challenge = readChallenge(fetched, resources.known)
  const finding = findingOf(fetched, challenge)
  const facts = factsOf(fetched, url, document)
  return {
    finding,
    ...FINDINGS[finding],
    ...facts,
    message: inWords(FINDINGS[finding].message, { ...facts, unread: unreadOf(finding, challenge) }),
    result: probeResult(challenge, url, method, document?.operation),
    httpStatus: status,
    latencyMs,
    retryAfterMs: asksToWait(status) ? retryAfterMs(headers['retry-after'], clock.now()) : null,
    challenge,
  }
}

/** The entries that the finding is about. */
const unreadOf = (finding: ProbeFinding, challenge: Challenge) =>
  finding === 'entries_unreadable' && challenge.kind === 'x402' ? challenge.unread : []

const MAX_CODING = 64

/** Facts of an answer besides its finding: the redirect's target, the methods that would work, the body's coding. */
function factsOf(answer: Extract<Fetched, { ok: true }>, url: URL, document: Documented | undefined) {
  const { status, headers } = answer
  const allowed = allowedMethods(headers.allow)
  const methods = allowed.length > 0 ? allowed : (document?.methods ?? [])
  const redirectTo = redirectTarget(answer, url)
  const contentEncoding = codingsOf(headers['content-encoding'])
    .join(', ')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, MAX_CODING)
  return {
    ...(redirectTo ? { redirectTo } : {}),
    ...((status === 405 || status === 501) && methods.length > 0 ? { methods: [...methods] } : {}),
    ...(contentEncoding && status === 402 ? { contentEncoding } : {}),
  }
}
