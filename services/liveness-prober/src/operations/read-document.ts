import type { livenessProber, ReadFailure } from '@callboard/contract'
import type { HeaderValue } from '@callboard/x402'
import type { ProberHandler } from '../context.ts'
import { maxAgeSeconds } from '../domain/max-age.ts'
import { failureState, guardedOrigin } from '../guarded-fetch/index.ts'

/** A person waits for it, so this caps the time even if a probe may take longer. */
const LONGEST_MS = 10_000

/** Callers may be anonymous, and learn no more about the host than this. */
export const READ_MESSAGES: Readonly<Record<ReadFailure, string>> = {
  tls: 'The endpoint’s TLS certificate or handshake is not accepted.',
  dns: 'The endpoint’s host name does not resolve.',
  timeout: 'The endpoint did not answer in time.',
  unreachable: 'The endpoint could not be reached.',
  refused_target: 'The URL leads to an address or port that Callboard does not probe.',
  too_large: 'The endpoint’s answer is too large to read.',
}

/**
 * Takes no lease of the origin: a visit may hold it for seconds, and one small document is not a probe. Callers bound
 * how many documents are read.
 */
export const readDocument: ProberHandler<typeof livenessProber.readDocument> = async ({ url: text, maxBytes }, ctx) => {
  const { guard } = ctx.resources
  const url = new URL(text)
  const origin = guardedOrigin(url, { ...guard, totalTimeoutMs: Math.min(guard.totalTimeoutMs, LONGEST_MS) })
  try {
    const fetched = await origin.fetch({ url, method: 'GET', reads: { status: 200, maxBytes } }, ctx.signal)
    if (!fetched.ok) {
      const state = failureState(fetched.failure)
      return { ok: false, state, message: READ_MESSAGES[state] }
    }
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
