import { x402Facilitator } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import { PAYMENT_SIGNATURE_HEADER, paymentHeaderOf, requestFingerprint, X_PAYMENT_HEADER } from '@callboard/x402'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../answers/errors.ts'
import type { GatewayContext, Hook, Route } from '../context.ts'
import { readInput } from '../input/input.ts'
import { requesterOf } from '../input/requester.ts'
import { paymentFault } from './payment-fault.ts'

/**
 * Reads the payment of a paid route. A request without one gets the offer before its body is read, so that a buyer can
 * learn the price with an empty request. An unreadable or repeated header is a 400: nothing is guessed.
 */
export const decodePayment: Hook = async (request, _reply, route, ctx) => {
  if (!readPayment(request)) throw await offerOf(request, route, ctx)
}

/** Reads the payment of a call that may include one. */
export const decodePaymentIfAny: Hook = (request, reply, route) => {
  if (!route.http.mayPay) return
  variesByPayment(reply)
  readPayment(request)
}

/** @returns whether the request has a payment */
function readPayment(request: FastifyRequest): boolean {
  const header = paymentHeaderOf(request.headers)
  if (header.kind === 'unreadable') {
    const field = request.headers['payment-signature'] === undefined ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE'
    throw new Refused({ refusal: 'invalid_request', field, message: paymentFault(field, header.reason, header.detail) })
  }
  if (header.kind === 'absent') return false
  request.state.payment = {
    payload: header.payload as Record<string, unknown>,
    x402Version: header.kind === 'v1' ? 1 : 2,
    requestFingerprint: '',
    resourceUrl: resourceUrl(request),
    requester: requesterOf(request),
  }
  return true
}

/** Tells caches that every answer of a paid route, even the offer, depends on the payment headers of its request. */
export function variesByPayment(reply: FastifyReply): void {
  const others = reply.getHeader('vary')
  reply.header('vary', [others, PAYMENT_SIGNATURE_HEADER, X_PAYMENT_HEADER].filter(Boolean).join(', '))
}

/** Binds the payment to the request once its body has been read. */
export function bindPayment(request: FastifyRequest): void {
  const { payment, rawBody, caller } = request.state
  if (!payment) return
  const fingerprint = requestFingerprint({
    method: request.method,
    url: request.url,
    ...(rawBody ? { body: rawBody } : {}),
    ...('owner' in caller ? { owner: caller.owner } : {}),
  })
  request.state.payment = { ...payment, requestFingerprint: fingerprint }
}

async function offerOf(request: FastifyRequest, route: Route, ctx: GatewayContext): Promise<Refused> {
  const priceUsd = priceOf(request, route)
  const asked = { operation: route.id, resourceUrl: resourceUrl(request) }
  const offer = await ctx.call(x402Facilitator.offer, priceUsd === undefined ? asked : { ...asked, priceUsd })
  if (isRefusal(offer)) return new Refused(offer)
  return new Refused({ refusal: 'payment_required', details: offer as Record<string, unknown> })
}

/** The price in the path. @throws Refused invalid_request if it is not one */
function priceOf(request: FastifyRequest, route: Route): string | undefined {
  const { pricedBy } = route.http
  return pricedBy && String((readInput(request, route) as Record<string, unknown>)[pricedBy])
}

const resourceUrl = (request: FastifyRequest): string =>
  new URL(request.url.split('?')[0] ?? '/', request.server.publicOrigin).href
