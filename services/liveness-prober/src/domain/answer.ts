import type { HeaderValue } from '@callboard/x402'

/** An answer to an unpaid request: for a 402 the whole body, otherwise its beginning. */
export interface Answer {
  readonly status: number
  /** By lower-cased name. */
  readonly headers: Readonly<Record<string, HeaderValue>>
  readonly bodyText: string
}

/** The first value of a header; empty if there is none. */
export const firstValue = (value: HeaderValue): string => [value].flat()[0] ?? ''

/** Whether a body is a web page. */
export const isPage = (headers: Answer['headers']): boolean =>
  /^(text\/html|application\/xhtml)/i.test(firstValue(headers['content-type']))

/** Whether `Retry-After` counts. At other statuses it is ignored: a server cannot put off its checks otherwise. */
export const asksToWait = (status: number): boolean => status === 429 || status === 503

/** The codings of `Content-Encoding` that Node's fetch, and with it the stock client, undoes. */
const DECODABLE_CODINGS = ['gzip', 'x-gzip', 'deflate', 'br', 'zstd'] as const
export type DecodableCoding = (typeof DECODABLE_CODINGS)[number]

/** @source undici 7 and 8, `fetch`: more codings than this abort the request */
const MAX_CODINGS = 5

/** The codings of `Content-Encoding` in the order in which they were applied, without `identity`. */
export const codingsOf = (value: HeaderValue): string[] =>
  [value ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')

/** Whether the stock client undoes all of these codings. */
export const isDecodable = (codings: readonly string[]): codings is readonly DecodableCoding[] =>
  codings.length <= MAX_CODINGS && codings.every((coding) => DECODABLE_CODINGS.some((known) => known === coding))
