import { createHmac } from 'node:crypto'

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

/**
 * The relative link that opens a call. `sig` is base64url of HMAC-SHA256 over `callboard-invoke/1`, a line feed, and
 * the query string before `&sig=`: a link with any other call in it was not made here.
 */
export function invokeHref(key: string, { url, method, schema, network }: InvokeCall): string {
  const query = new URLSearchParams({ url, method, schema, network }).toString()
  const sig = createHmac('sha256', key).update(`${CONTEXT}\n${query}`).digest('base64url')
  return `${PATH}?${query}&sig=${sig}`
}
