import { readJson } from '@callboard/x402'
import type { GuardedOrigin } from './guarded-fetch/index.ts'

/** A document stays valid for the visit, or for the endpoints that are published together. */
const KEPT_MS = 5_000
const MAX_KEPT = 32
const READS = { status: 200, maxBytes: 256 * 1024 }

/** The OpenAPI documents that origins publish under `/openapi.json`. */
export interface OpenapiDocuments {
  /**
   * The document of an origin, read over its connection unless it was read a moment ago.
   * @returns undefined if there is none, or none that can be read
   * @throws the signal's reason if the caller gave up
   */
  of(connection: GuardedOrigin, url: URL, signal?: AbortSignal): Promise<unknown>
}

/** The address of the document of a URL's origin. */
export const openapiUrl = ({ origin }: URL): URL => new URL('/openapi.json', origin)

/** @param now a monotonic clock in ms */
export function openapiDocuments(now: () => number = () => performance.now()): OpenapiDocuments {
  const kept = new Map<string, { readonly until: number; readonly document: unknown }>()
  return {
    async of(connection, url, signal) {
      const { origin } = url
      const known = kept.get(origin)
      if (known && known.until > now()) return known.document
      const fetched = await connection.fetch({ url: openapiUrl(url), method: 'GET', reads: READS }, signal)
      const read = fetched.ok && fetched.status === 200 ? readJson(fetched.bodyText, 'finite') : undefined
      const document = read?.ok ? read.value : undefined
      kept.delete(origin)
      kept.set(origin, { until: now() + KEPT_MS, document })
      const [oldest] = kept.keys()
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
      return document
    },
  }
}
