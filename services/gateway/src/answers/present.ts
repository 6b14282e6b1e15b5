import { isShared, refusals } from '@callboard/contract'
import type { Refusal } from '@callboard/values'
import {
  encodeHeader,
  PAYMENT_REQUIRED_HEADER,
  PAYMENT_RESPONSE_HEADER,
  X_PAYMENT_RESPONSE_HEADER,
} from '@callboard/x402'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from '../context.ts'
import { sessionCookie } from '../credentials/session-cookie.ts'
import { isModelPath } from '../http/model-paths.ts'
import { isKnown } from '../shared-reads/if-none-match.ts'
import { notModified, sendShared } from '../shared-reads/send-shared.ts'
import { bodyOf } from './bodies.ts'
import { challengeOf } from './challenge.ts'
import { declarationOf, refusalOf } from './errors.ts'
import { addHeaders } from './headers.ts'
import { inOneWrite } from './one-write.ts'
import { type SignatureParts, sendSigned } from './signed.ts'
import { wantedCredential } from './wanted-credential.ts'

interface Paid {
  readonly result: unknown
  readonly settlement: object
}

/** The default `Retry-After` of a 503, without which OAuth clients give up. */
const UNAVAILABLE_RETRY_S = 5

/** Whether the gateway has to read the output, because part of it belongs in the head, or the body is not JSON. */
export const hasHeadParts = ({ http }: Route): boolean =>
  http.paid === true ||
  http.entityTag === true ||
  http.signed === true ||
  http.text === true ||
  http.sessionCookie === 'sets'

/** Presents an output that is all body: its bytes are sent as they came over the bus, or as prepared. */
export function presentEncoded(request: FastifyRequest, reply: FastifyReply, route: Route, json: Uint8Array) {
  const { http } = route
  begin(reply, route)
  if (http.sessionCookie === 'clears') reply.header('set-cookie', sessionCookie.cleared(request))
  if (isShared(http)) return sendShared(request, reply, json)
  return http.ok === 204 ? reply.send() : reply.send(inOneWrite(json))
}

/** Presents an output with parts for the head: a payment's settlement, an entity tag, a session's token. */
export function presentResult(request: FastifyRequest, reply: FastifyReply, route: Route, result: unknown) {
  begin(reply, route)
  if (route.http.text) {
    const text = Buffer.from(result as string)
    return isShared(route.http) ? sendShared(request, reply, text) : reply.send(text)
  }
  if (route.http.paid) {
    const { result: body, settlement } = result as Paid
    evidence(request, reply, settlement)
    return reply.send(JSON.stringify(body))
  }
  if (route.http.entityTag) {
    const { etag, ...body } = result as { etag: string }
    const json = JSON.stringify(body)
    reply.header('etag', etag)
    // Of a write it is a precondition, which the operation judges.
    const isRead = route.http.method === 'GET'
    if (isRead && isKnown(request.headers['if-none-match'], etag)) return notModified(request, reply, Buffer.from(json))
    return reply.send(json)
  }
  if (route.http.signed) {
    const { messageSignature, ...body } = result as { messageSignature: SignatureParts }
    return sendSigned(request, reply, messageSignature, body)
  }
  const { sessionToken, ...body } = result as { sessionToken: string; expiresAt: string }
  return reply.header('set-cookie', sessionCookie.set(request, sessionToken, body.expiresAt)).send(JSON.stringify(body))
}

function begin(reply: FastifyReply, { http }: Route): void {
  reply.code(http.ok)
  reply.header('cache-control', http.paid ? 'private, no-store' : (http.cache ?? 'no-store'))
  if (http.ok !== 204) reply.type(`${http.mediaType ?? 'application/json'}; charset=utf-8`)
}

/** Sets the settlement evidence in the header of the x402 version that the buyer used. */
function evidence(request: FastifyRequest, reply: FastifyReply, settlement: object): void {
  const isV1 = request.state.payment?.x402Version === 1
  reply.header(isV1 ? X_PAYMENT_RESPONSE_HEADER : PAYMENT_RESPONSE_HEADER, encodeHeader(settlement))
}

/** The shape of a refusal; unknown paths below `/v1`, or where models are requested, come from OpenAI's clients. */
function shapeOf({ routeOptions, url }: FastifyRequest, { refusal }: Refusal) {
  const route = routeOptions.config?.route
  const isAstray = !route && refusal === 'not_found' && isModelPath(url)
  return route?.http.surface ?? (url.startsWith('/v1/') || isAstray ? 'openai' : 'api')
}

/** Presents a refusal: one table of statuses, one shape of body. */
export function presentRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const declared = declarationOf.get(refusal.refusal)
  const status = declared?.status ?? 500
  reply.code(status).type('application/json; charset=utf-8').header('cache-control', 'no-store')
  const wanted = refusal.refusal === 'unauthorized' ? wantedCredential(request) : undefined
  const message = refusal.message ?? wanted ?? declared?.meaning ?? refusal.refusal
  const retryAfter = refusal.retryAfterSeconds ?? (status === 503 ? UNAVAILABLE_RETRY_S : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  const challenge = challengeOf(request, { code: refusal.refusal, status, message })
  if (challenge) reply.header('www-authenticate', challenge)
  addHeaders(reply, refusal.headers ?? {})
  const { paymentRequired, v1, settlement, ...details } = refusal.details ?? {}
  if (settlement) evidence(request, reply, settlement as object)
  const surface = shapeOf(request, refusal)
  if (status === 402 && paymentRequired) {
    reply.header(PAYMENT_REQUIRED_HEADER, encodeHeader(paymentRequired as object))
    if (surface === 'api') return reply.send(JSON.stringify(v1 ?? paymentRequired))
  }
  if (surface === 'anthropic') reply.header('request-id', request.id)
  const { refusal: code, field } = refusal
  return reply.send(JSON.stringify(bodyOf(surface, { code, status, message, field, details, requestId: request.id })))
}

function namingLimit({ routeOptions: { bodyLimit } }: FastifyRequest, refusal: Refusal): Refusal {
  if (refusal.refusal !== 'payload_too_large' || bodyLimit === undefined) return refusal
  return { ...refusal, message: `The body is larger than the ${bodyLimit} bytes that the route accepts.` }
}

/** Presents a thrown error. Anything unexpected is logged in full and answered as an internal error. */
export function presentError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = refusalOf(error)
  if (refusal) return presentRefusal(request, reply, namingLimit(request, refusal))
  request.log.error({ err: error, route: request.routeOptions.url }, 'a request failed')
  return presentRefusal(request, reply, {
    refusal: 'internal_error',
    message: refusals.edge.internal.meaning,
    details: { request_id: request.id },
  })
}
