import { createHmac, timingSafeEqual } from 'node:crypto'

/** Binds the form that shows a request to the session that saw it; nothing is stored for this. */
export const formToken = (sessionToken: string, request: string): string =>
  createHmac('sha256', sessionToken).update(`form ${request}`).digest('base64url')

export function isFormToken(given: string | null, sessionToken: string, request: string): boolean {
  const expected = Buffer.from(formToken(sessionToken, request))
  const actual = Buffer.from(given ?? '')
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
