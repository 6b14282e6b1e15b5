import type { HttpMethod } from '@callboard/contract'
import type { HeaderValue } from '@callboard/x402'
import type { Fetched } from '../guarded-fetch/index.ts'

/** Answers to a GET that often come from a router or a validator that stands before the paywall of a POST-only door. */
const WORTH_A_POST: ReadonlySet<number> = new Set([400, 404, 405, 415, 422, 501])
const KNOWN: readonly HttpMethod[] = ['POST', 'PUT', 'PATCH', 'DELETE']

const BODY_METHODS: ReadonlySet<HttpMethod> = new Set(['POST', 'PUT', 'PATCH'])
export const takesBody = (method: HttpMethod): boolean => BODY_METHODS.has(method)

/**
 * The one method to try after a GET that nobody declared: what `Allow` of a 405 names, else POST.
 * Undefined when the first answer stands; verbs are never tried in a loop.
 */
export function secondMethod(declared: HttpMethod | undefined, first: Fetched): HttpMethod | undefined {
  if (declared !== undefined || !first.ok || !WORTH_A_POST.has(first.status)) return undefined
  const allowed = allowedMethods(first.headers.allow)
  return first.status === 405 && allowed.length > 0 ? KNOWN.find((method) => allowed.includes(method)) : 'POST'
}

const allowedMethods = (value: HeaderValue): string[] =>
  [value ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((method) => method.trim().toUpperCase())
    .filter((method) => method !== '')
