import type { HttpMethod } from '@callboard/contract'
import type { HeaderValue } from '@callboard/x402'

/** Statuses that often come from a router or a validator in front of the paywall. */
const BEFORE_THE_GATE: ReadonlySet<number> = new Set([400, 404, 405, 415, 422, 501])
const WRONG_METHOD: ReadonlySet<number> = new Set([404, 405, 501])
/** The order in which several methods are tried. */
const PREFERRED = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as const satisfies readonly HttpMethod[]
const BODY_METHODS: ReadonlySet<HttpMethod> = new Set(['POST', 'PUT', 'PATCH'])

export const takesBody = (method: HttpMethod): boolean => BODY_METHODS.has(method)

/** Whether another request may reach a paywall that the first one did not. */
export const isBeforeTheGate = (status: number): boolean => BEFORE_THE_GATE.has(status)

/** Whether an answer says more about an endpoint than one that may only mean the wrong method. */
export const saysMore = (status: number, than: number): boolean => WRONG_METHOD.has(than) && !WRONG_METHOD.has(status)

/** The methods in an `Allow` header that a listing may use, in the order to try them. */
export function allowedMethods(value: HeaderValue): HttpMethod[] {
  const named = new Set([value].flat().join(',').toUpperCase().split(/[\s,]/))
  return PREFERRED.filter((method) => named.has(method))
}

/**
 * The one method to try after a GET that its owner did not ask for: one from `Allow`, else one from the origin's
 * document, else POST. Methods are never tried in a loop.
 */
export const nextMethod = (allowed: readonly HttpMethod[], documented: HttpMethod | undefined): HttpMethod =>
  allowed.find((method) => method !== 'GET') ?? documented ?? 'POST'
