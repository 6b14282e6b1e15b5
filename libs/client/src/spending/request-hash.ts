import { createHash } from 'node:crypto'

/**
 * Identifies a request by its method, URL and body, so that a payment is presented again only for what it paid for.
 * Headers are left out: a credential in one may be renewed between two attempts.
 * @returns SHA-256 as hexadecimal digits; undefined for a body that can be read only once, or is no text
 */
export function requestHash(url: string, { method = 'GET', body = '' }: RequestInit): string | undefined {
  const text = body instanceof URLSearchParams ? body.toString() : (body ?? '')
  if (typeof text !== 'string') return undefined
  return createHash('sha256')
    .update(JSON.stringify([method.toUpperCase(), new URL(url).href, text]))
    .digest('hex')
}
