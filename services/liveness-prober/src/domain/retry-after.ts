import type { HeaderValue } from '@callboard/x402'

const SECONDS = /^\d+$/
const TIME = '\\d{2}:\\d{2}:\\d{2}'
/** The current form, and the two obsolete ones that a recipient must accept. @source RFC 9110, 5.6.7 */
const HTTP_DATES: readonly RegExp[] = [
  new RegExp(`^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{5,8}, \\d{2}-[A-Z][a-z]{2}-\\d{2} ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d ${TIME} \\d{4}$`),
]

/**
 * How long `Retry-After` asks to wait, given in seconds or as an HTTP date; null if it is neither. A past date means no
 * wait. The first of several values counts.
 * @param now in ms: dates are compared with our own clock
 * @source RFC 9110, 10.2.3
 */
export function retryAfterMs(value: HeaderValue, now: number): number | null {
  const text = [value].flat()[0]?.trim() ?? ''
  if (SECONDS.test(text)) return Number(text) * 1000
  if (!HTTP_DATES.some((form) => form.test(text))) return null
  // The third form names no zone but means GMT too.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
