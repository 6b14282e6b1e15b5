import { createHmac, timingSafeEqual } from 'node:crypto'

/** The call that an invoke link describes. */
export interface InvokeCall {
  readonly url: string
  readonly method: string
  /** The location of the request's schema: the relative URL of the catalogue entry. */
  readonly schema: string
  /** The CAIP-2 network on which the call is paid. */
  readonly network: string
}

const PATH = '/call/invoke'
const CONTEXT = 'callboard-invoke/1'
const ENTRIES = '/api/calls/'

/** A call of a listing whose offer was read. */
export interface OfferedCall extends Pick<InvokeCall, 'url' | 'method'> {
  readonly payment: Pick<InvokeCall, 'network'>
}

/** How to open a call of a listing. */
export const invokeAction = (key: string, slug: string, { url, method, payment: { network } }: OfferedCall) => ({
  type: 'invoke_api' as const,
  href: invokeHref(key, { url, method, schema: `${ENTRIES}${slug}`, network }),
})

/** The listing to which a signed link belongs. */
export const slugOf = ({ schema }: Pick<InvokeCall, 'schema'>): string => schema.slice(ENTRIES.length)

/**
 * The relative link that opens a call. `sig` is base64url of HMAC-SHA256 over `callboard-invoke/1`, a line feed, and
 * the query string before `&sig=`: a link with any other call in it was not made here.
 */
export function invokeHref(key: string, call: InvokeCall): string {
  const query = queryOf(call)
  return `${PATH}?${query}&sig=${signatureOf(key, query)}`
}

/**
 * Whether one of the keys signed the link of a call, whatever the order and coding of its members. Each key is tried
 * whatever the others gave, and texts are compared in constant time.
 */
export function isSigned(keys: readonly string[], call: InvokeCall, sig: string): boolean {
  const query = queryOf(call)
  const given = Buffer.from(sig)
  return keys.map((key) => isEqual(Buffer.from(signatureOf(key, query)), given)).includes(true)
}

const queryOf = ({ url, method, schema, network }: InvokeCall): string =>
  new URLSearchParams({ url, method, schema, network }).toString()

const signatureOf = (key: string, query: string): string =>
  createHmac('sha256', key).update(`${CONTEXT}\n${query}`).digest('base64url')

const isEqual = (expected: Buffer, given: Buffer): boolean =>
  expected.length === given.length && timingSafeEqual(expected, given)
