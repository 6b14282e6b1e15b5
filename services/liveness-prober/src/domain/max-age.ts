import type { HeaderValue } from '@callboard/x402'

const DIRECTIVE = /(?:^|,)\s*([a-z-]+)(?:\s*=\s*"?([^",]*)"?)?/gi
const FORBIDS = new Set(['no-store', 'no-cache'])
/** RFC 9111 §1.2.2: greater values count as this. */
const MOST_SECONDS = 2 ** 31

/**
 * How long an answer may be cached, in seconds, by its `Cache-Control` (RFC 9111 §5.2.2): 0 if it forbids caching or
 * cannot be read, the least of several values, null if it does not say.
 */
export function maxAgeSeconds(cacheControl: HeaderValue): number | null {
  const found = [...[cacheControl].flat().join(',').matchAll(DIRECTIVE)].flatMap(([, name = '', value = '']) => {
    const directive = name.toLowerCase()
    if (FORBIDS.has(directive)) return [0]
    if (directive !== 'max-age') return []
    return [/^\d+$/.test(value.trim()) ? Math.min(Number(value), MOST_SECONDS) : 0]
  })
  return found.length === 0 ? null : Math.min(...found)
}
