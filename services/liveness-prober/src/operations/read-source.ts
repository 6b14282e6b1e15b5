import { ANSWER_BYTES, jsonBytes } from '@callboard/bus'
import type { livenessProber } from '@callboard/contract'
import type { ProberHandler } from '../context.ts'
import { asksToWait } from '../domain/answer.ts'
import { retryAfterMs } from '../domain/retry-after.ts'
import { forbiddenBecause } from '../domain/robots.ts'
import { failureState, guardedOrigin } from '../guarded-fetch/index.ts'
import { READ_MESSAGES } from './read-document.ts'

const ROBOTS_MESSAGES = {
  robots_disallowed: 'The origin’s robots.txt does not allow our prober to read this document.',
  robots_unreachable: 'The origin’s robots.txt cannot be read, so our prober reads nothing from the origin (RFC 9309).',
}

/** `readDocument` for an origin that is read repeatedly: obeys its robots.txt, and returns its `Retry-After`. */
export const readSource: ProberHandler<typeof livenessProber.readSource> = async ({ url: text, maxBytes }, ctx) => {
  const url = new URL(text)
  const origin = guardedOrigin(url, ctx.resources.guard)
  const failed = (state: keyof typeof READ_MESSAGES) => ({ ok: false, state, message: READ_MESSAGES[state] }) as const
  try {
    const robots = await ctx.resources.robots.of(origin, url, ctx.signal)
    const because = forbiddenBecause(robots, url)
    if (because === 'robots_disallowed' || because === 'robots_unreachable') {
      return { ok: false, state: 'robots', message: ROBOTS_MESSAGES[because] }
    }
    if (because) return failed(failureState(because))
    const fetched = await origin.fetch({ url, method: 'GET', reads: { status: 200, maxBytes } }, ctx.signal)
    if (!fetched.ok) return failed(failureState(fetched.failure))
    const { status, headers, bodyText } = fetched
    const wait = asksToWait(status) ? retryAfterMs(headers['retry-after'], ctx.clock.now()) : null
    const answer = { ok: true, status, retryAfterMs: wait, text: bodyText } as const
    return jsonBytes(answer) > ANSWER_BYTES ? failed('too_large') : answer
  } finally {
    await origin.close()
  }
}
