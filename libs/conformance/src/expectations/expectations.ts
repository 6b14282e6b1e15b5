import { type HttpBinding, isShared, type Operation, refusalsOf } from '@callboard/contract'
import { expect } from 'vitest'
import type { z } from 'zod'
import type { Answer } from '../actors/client.ts'
import { fromHeader } from '../actors/payment.ts'
import { seen } from '../coverage/seen.ts'
import { expectAnthropicBody, expectOpenaiBody } from './model-refusals.ts'

const httpOf = (op: Operation): HttpBinding => {
  if (!op.http) throw new Error(`${op.id} has no HTTP face`)
  return op.http
}

/** The body fits the schema and carries no member beyond it, at any depth. */
export function expectShape<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (!parsed.success) expect.fail(`The body does not fit its schema: ${parsed.error.message}`)
  expect(body, 'members beyond the schema').toStrictEqual(parsed.data)
  return parsed.data
}

/** The object has exactly these members. */
export function expectFields(value: object | null | undefined, fields: readonly string[]): void {
  expect(Object.keys(value ?? {}).sort()).toEqual([...fields].sort())
}

/** What every answer of a route carries, at any status. */
export function expectEdge(op: Operation, { headers }: Answer): void {
  expect(headers.get('x-request-id'), 'X-Request-Id').toMatch(/\S/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  if (httpOf(op).linksCatalog) expect(headers.get('link')).toContain('</.well-known/api-catalog>; rel="api-catalog"')
}

/**
 * The answer is the operation's success: status, headers and body.
 * @param schema of the body where that is not the operation's whole output
 */
export function accepted<Op extends Operation, Schema extends z.ZodType = Op['output']>(
  op: Op,
  answer: Answer,
  schema?: Schema,
): z.output<Schema> {
  const http = httpOf(op)
  expect(answer.status, answer.text).toBe(http.ok)
  seen.noteAnswer(op.id)
  expectEdge(op, answer)
  expectLimits(http, answer)
  expect(answer.headers.get('cache-control')).toBe(http.paid ? 'private, no-store' : (http.cache ?? 'no-store'))
  if (http.ok === 204) {
    expect(answer.text).toBe('')
    return undefined as z.output<Schema>
  }
  const [mediaType] = (http.mediaType ?? 'application/json').split(';')
  expect(answer.headers.get('content-type')?.split(';')[0]).toBe(mediaType)
  return expectShape((schema ?? op.output) as Schema, http.text ? answer.text : answer.json())
}

/** The caller's remaining limit; an answer that shared caches may store has none, but an entity tag of its bytes. */
export function expectLimits(http: HttpBinding, { headers }: Answer): void {
  const [policy, left] = [headers.get('ratelimit-policy'), headers.get('ratelimit')]
  if (isShared(http)) {
    expect([policy, left]).toEqual([null, null])
    expect(headers.get('etag')).toMatch(/^"[\w-]{43}(-br|-gzip)?"$/)
    expect(headers.get('vary')).toMatch(/\bAccept-Encoding\b/i)
    return
  }
  // A model call's own limits follow the limit of its address.
  expect(policy?.split(', ')[0]).toMatch(new RegExp(`^"${http.limit}";q=\\d+;w=\\d+$`))
  expect(left?.split(', ')[0]).toMatch(new RegExp(`^"${http.limit}";r=\\d+;t=\\d+$`))
}

/** The answer is a refusal that the operation declares, in the shape of its surface. @returns its body */
export function refused(
  op: Operation,
  answer: Answer,
  status: number,
  code: string,
  field?: string,
): Record<string, unknown> {
  expect(answer.status, answer.text).toBe(status)
  expectEdge(op, answer)
  expect(refusalsOf(op as Operation & { http: HttpBinding })).toContainEqual(expect.objectContaining({ code, status }))
  seen.noteRefusal(op.id, code)
  // A Bearer challenge would make OAuth clients stop; only callers with a registration token get one.
  const { surface, registrationToken = false } = httpOf(op)
  if (surface === 'openai' || surface === 'anthropic')
    return expectModelRefusal(surface, answer, { status, code, field })
  if (surface !== 'oauth') return expectRefusal(answer, status, code, field)
  expect((answer.headers.get('www-authenticate') ?? '').startsWith('Bearer')).toBe(registrationToken && status === 401)
  return expectOauthRefusal(answer, status, code)
}

/** The answer asks for payment: the same offer in header and body. @returns the offer */
export function unpaid(op: Operation, answer: Answer): unknown {
  expect(answer.status, answer.text).toBe(402)
  expectEdge(op, answer)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const offer = fromHeader(answer.headers.get('payment-required'))
  expect(offer, 'PAYMENT-REQUIRED').toEqual(answer.json())
  seen.noteRefusal(op.id, 'payment_required')
  return offer
}

/** The answer is one of the edge's refusals. @returns its body */
export function expectRefusal(answer: Answer, status: number, code: string, field?: string): Record<string, unknown> {
  expectRefusalEdge(answer, status)
  if (status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^(Bearer|Cookie) realm=/)
  const body = answer.json() as Record<string, unknown>
  expect(body).toMatchObject({ error: code, message: expect.any(String), ...(field ? { field } : {}) })
  return body
}

/**
 * The answer is a refusal in OAuth's form (RFC 6749 §5.2).
 * @returns its body
 */
function expectOauthRefusal(answer: Answer, status: number, code: string): Record<string, unknown> {
  expectRefusalEdge(answer, status)
  const body = answer.json() as Record<string, unknown>
  const description = expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  expect(body).toMatchObject({ error: code, error_description: description })
  return body
}

/** The answer is a refusal in the form of a model route's clients. @returns its body */
function expectModelRefusal(
  surface: 'openai' | 'anthropic',
  answer: Answer,
  expected: { status: number; code: string; field: string | undefined },
): Record<string, unknown> {
  expectRefusalEdge(answer, expected.status)
  if (expected.status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm=/)
  const body = answer.json() as Record<string, unknown>
  if (surface === 'openai') expectOpenaiBody(body, expected)
  else expectAnthropicBody(body, { ...expected, requestId: answer.headers.get('request-id') })
  return body
}

/** What every refusal carries. */
function expectRefusalEdge(answer: Answer, status: number): void {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  if (status === 429 || status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answer.text).not.toMatch(/\bat .*\.ts:\d/)
}
