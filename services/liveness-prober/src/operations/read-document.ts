import type { livenessProber } from '@callboard/contract'
import type { HeaderValue } from '@callboard/x402'
import { maxAgeSeconds } from '../domain/max-age.ts'
import { MESSAGES } from '../domain/probe-state.ts'
import { guardedOrigin } from '../guarded-fetch/index.ts'
import type { ProberHandler } from '../kit.ts'

/** A person waits for it, whatever time a probe may take. */
const LONGEST_MS = 10_000

/**
 * Takes no lease of the origin: a visit may hold that for a minute, and one small document is no probe. How many are read
 * is bounded where they are asked for.
 */
export const readDocument: ProberHandler<typeof livenessProber.readDocument> = async ({ url: text, maxBytes }, ctx) => {
  const { guard } = ctx.parts
  const url = new URL(text)
  const origin = guardedOrigin(url, { ...guard, totalTimeoutMs: Math.min(guard.totalTimeoutMs, LONGEST_MS) })
  try {
    const fetched = await origin.fetch({ url, method: 'GET', reads: { status: 200, maxBytes } }, ctx.signal)
    if (!fetched.ok) return { ok: false, state: fetched.state, message: MESSAGES[fetched.state] }
    const { status, headers, bodyText } = fetched
    return {
      ok: true,
      status,
      mediaType: mediaTypeOf(headers['content-type']),
      maxAgeSeconds: maxAgeSeconds(headers['cache-control']),
      text: bodyText,
    }
  } finally {
    await origin.close()
  }
}

function mediaTypeOf(contentType: HeaderValue): string | null {
  const [only, more] = [contentType ?? []].flat()
  const [type = ''] = (more === undefined ? (only ?? '') : '').split(';')
  return type.trim().toLowerCase() || null
}
