import { isDeepStrictEqual } from 'node:util'
import { refusals, refusalsOf } from '@callboard/contract'
import { z } from 'zod'
import type { Case } from './case.ts'
import type { Told } from './send.ts'
import { type Target, targetAt } from './targets.ts'

const { edge } = refusals

/** What the edge answers before it knows a route, or instead of one. */
const BEFORE_A_ROUTE = [
  ...[edge.invalidRequest, edge.notFound, edge.methodNotAllowed, edge.payloadTooLarge],
  ...[edge.unsupportedMediaType, edge.requestTimeout, edge.headersTooLarge],
]

/** Internal details that must never show, whatever goes wrong. */
const INNER_LIFE = /\bat [^\s]+ ?\(?(?:file:\/\/)?\/[^\s]*\.[jt]s:\d|node_modules|ZodError|"stack"|kysely|PostgresError/

/** The faults of an answer; none for most. */
export function faultsOf(sent: Case, told: Told): string[] {
  const path = sent.url.split('?')[0] ?? ''
  const target = targetAt(sent.method, path)
  const faults = [...ofEvery(sent, told)]
  if (told.status >= 500 || sent.method === 'HEAD' || told.status === 304) return faults
  if (target?.op && told.status === target.op.http.ok) return [...faults, ...ofSuccess(target, told)]
  return [...faults, ...(told.status < 400 ? ofUndeclared(sent, target, told) : ofRefusal(target, path, told))]
}

function* ofEvery({ method, headers: sent }: Case, { status, headers, text }: Told) {
  if (!headers['x-request-id']) yield 'there is no X-Request-Id'
  if (INNER_LIFE.test(text)) yield 'the body tells of our inner life'
  if (status >= 500 && status !== 503) yield `the status is ${status}`
  if ((status === 503 || status === 429) && !(Number(headers['retry-after']) > 0))
    yield `a ${status} without Retry-After`
  if (status === 405 && headers.allow === undefined) yield 'a 405 without Allow'
  if (status === 304 && sent['if-none-match'] === undefined) yield 'an unsolicited 304'
  if ((method === 'HEAD' || status === 304 || status === 204) && text !== '') yield 'a body where there is none'
}

const isHtml = ({ headers }: Told): boolean => String(headers['content-type']).startsWith('text/html')

function* ofUndeclared({ method }: Case, target: Target | undefined, told: Told) {
  if (method === 'OPTIONS' && told.status === 204) return
  if (!target || target.op) yield `the status ${told.status} is not declared`
  else if (told.status === 200 && target.path.startsWith('/') && told.headers['content-type'] === undefined)
    yield 'no media type'
  else if (told.status !== 200 && told.status !== 302 && told.status !== 303)
    yield `the status ${told.status} of a page`
}

const PlainRefusal = z.object({ error: z.string(), message: z.string().min(1), field: z.string().optional() })
const OauthRefusal = z.object({
  error: z.string(),
  error_description: z.string().regex(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
})

const ModelRefusals = {
  openai: z.object({
    error: z.object({ message: z.string().min(1), type: z.string(), param: z.string().nullable(), code: z.string() }),
  }),
  anthropic: z.object({
    type: z.literal('error'),
    error: z.object({ type: z.string(), message: z.string().min(1) }),
    request_id: z.string(),
  }),
}

/** A refusal in the format of a model route's clients. */
function* ofModelRoute(surface: keyof typeof ModelRefusals, body: unknown): Generator<string> {
  const parsed = ModelRefusals[surface].safeParse(body)
  if (!parsed.success) yield `the refusal has another shape: ${z.prettifyError(parsed.error)}`
}

function* ofRefusal(target: Target | undefined, path: string, told: Told): Generator<string> {
  const { status, headers, text } = told
  // A page explains itself; refusals before it is shown are answered like all others.
  if (target && !target.op && isHtml(told)) return
  if (!String(headers['content-type']).startsWith('application/json'))
    return yield `a refusal as ${headers['content-type']}`
  if (headers['cache-control'] !== 'no-store') yield `a refusal that may be kept: ${headers['cache-control']}`
  const body = read(text)
  if (body === undefined) return yield 'the refusal is not JSON'
  const surface = target?.op?.http.surface
  if (surface === 'openai' || surface === 'anthropic') return yield* ofModelRoute(surface, body)
  if (status === 402) return yield* ofOffer(target, told)
  const isModelPath = !target && path.startsWith('/v1/')
  const { error } = body as { error?: unknown }
  const code = isModelPath ? (error as { code?: unknown } | undefined)?.code : error
  const declared = target?.op ? [...refusalsOf(target.op), ...BEFORE_A_ROUTE.filter(isOfRequest)] : undefined
  if (declared && !declared.some((one) => one.status === status && one.code === code)) {
    yield `${status} ${String(code)} is not declared`
  }
  if (!target && !BEFORE_A_ROUTE.some((one) => one.status === status && one.code === code)) {
    yield `${status} ${String(code)} where there is no route`
  }
  if (isModelPath) return yield* ofModelRoute('openai', body)
  const mayBeOauth = target ? target.op?.http.surface === 'oauth' : path.startsWith('/oauth/')
  const isOauth = mayBeOauth && 'error_description' in (body as object)
  const parsed = (isOauth ? OauthRefusal : PlainRefusal).safeParse(body)
  if (!parsed.success) yield `the refusal has another shape: ${z.prettifyError(parsed.error)}`
  if (status === 401 && !isOauth && headers['www-authenticate'] === undefined) yield 'a 401 without a challenge'
}

/** A route never answers 404 or 405 instead of its own refusals; the rest concerns the bytes of a request. */
const isOfRequest = ({ status }: { readonly status: number }): boolean => status !== 404 && status !== 405

function* ofOffer(target: Target | undefined, { headers }: Told) {
  if (!target?.op?.http.paid) yield 'a 402 of a route that is not sold'
  const offer = Buffer.from(String(headers['payment-required'] ?? ''), 'base64').toString()
  if (!Array.isArray((read(offer) as { accepts?: unknown } | undefined)?.accepts)) yield 'a 402 without an offer'
}

function* ofSuccess({ op }: Target, { status, headers, text }: Told): Generator<string> {
  if (!op) return
  const { http } = op
  if (status === 204) return
  const media = (http.mediaType ?? 'application/json').split(';')[0] ?? ''
  if (!String(headers['content-type']).startsWith(media)) yield `the media type is ${headers['content-type']}`
  const control = http.paid ? 'private, no-store' : (http.cache ?? 'no-store')
  if (headers['cache-control'] !== control) yield `Cache-Control is ${headers['cache-control']}`
  if (headers['set-cookie'] !== undefined && http.sessionCookie === undefined && http.auth !== 'session')
    yield 'a cookie is set'
  if (headers['content-encoding'] !== undefined) return
  const body = http.text ? text : read(text)
  const parsed = publicOutput(op).safeParse(body)
  if (!parsed.success) yield `the body does not fit its schema: ${z.prettifyError(parsed.error)}`
  else if (!isDeepStrictEqual(parsed.data, body)) yield 'the body has members beyond its schema'
}

/** The members sent in the body: without those sent in headers. */
function publicOutput({ http, output }: NonNullable<Target['op']>): z.ZodType {
  if (!(output instanceof z.ZodObject)) return output
  if (http.paid) return output.shape.result as z.ZodType
  // The signature is sent in headers.
  if (http.signed) return output.omit({ messageSignature: true })
  if (http.sessionCookie === 'sets') return output.omit({ sessionToken: true })
  return http.entityTag ? output.omit({ etag: true }) : output
}

function read(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
