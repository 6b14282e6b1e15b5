import type { HeaderValue } from '@callboard/x402'

/** An answer to an unpaid request: of a 402 the whole body, of any other its beginning. */
export interface Answer {
  readonly status: number
  /** By lower-cased name. */
  readonly headers: Readonly<Record<string, HeaderValue>>
  readonly bodyText: string
}

/** The first value of a header; empty where there is none. */
export const firstValue = (value: HeaderValue): string => [value].flat()[0] ?? ''

/** Whether a body is a web page. */
export const isPage = (headers: Answer['headers']): boolean =>
  /^(text\/html|application\/xhtml)/i.test(firstValue(headers['content-type']))

/** Whether an answer asks to come later; at other statuses `Retry-After` is not heeded: who answers can not put off its checks otherwise. */
export const asksToWait = (status: number): boolean => status === 429 || status === 503
