import type { livenessProber } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import { guardedOrigin } from '../guarded-fetch/index.ts'
import type { ProberHandler } from '../kit.ts'
import { leaseNow } from '../lease-now.ts'
import { probeEndpoint } from '../probe-endpoint.ts'
import { releaseLease } from '../store/origin.repository.ts'

export const probe: ProberHandler<typeof livenessProber.probe> = async ({ url, method, inputSchema }, ctx) => {
  const { guard, known } = ctx.parts
  const endpoint = { url: new URL(url), method, inputSchema }
  const lease = await leaseNow(ctx, endpoint.url.origin, ctx.signal)
  const origin = guardedOrigin(endpoint.url, guard)
  try {
    const { retryAfterMs: _, ...report } = await probeEndpoint(origin, endpoint, known, ctx.signal)
    return { ...report, checkedAt: isoTime(ctx.clock.now()) }
  } finally {
    await origin.close()
    await releaseLease(ctx.db, lease)
  }
}
