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
