import type { livenessProber } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { ProberHandler } from '../context.ts'
import { guardedOrigin } from '../guarded-fetch/index.ts'
import { leaseNow } from '../lease-now.ts'
import { probeEndpoint } from '../probe-endpoint.ts'
import { recordRecheck } from '../record-recheck.ts'
import { releaseLease } from '../store/origin.repository.ts'
import { whileLeased } from '../while-leased.ts'

export const probe: ProberHandler<typeof livenessProber.probe> = async (input, ctx) => {
  const { url, method, inputSchema, sample, slug } = input
  const endpoint = { url: new URL(url), method, inputSchema, sample }
  const lease = await leaseNow(ctx, endpoint.url.origin, ctx.signal)
  const origin = guardedOrigin(endpoint.url, ctx.resources.guard)
  try {
    return await whileLeased(ctx, lease, ctx.signal, async (signal) => {
      const startedAt = ctx.clock.now()
      const probed = await probeEndpoint(ctx, origin, endpoint, signal)
      const key = slug !== undefined && method !== undefined ? { slug, method, url: endpoint.url.href } : undefined
      const checkedAt = key && (await recordRecheck(ctx, lease, { key, probed, startedAt }))
      const { retryAfterMs: _, challenge: __, ...report } = probed
      return { ...report, checkedAt: isoTime(checkedAt ?? ctx.clock.now()) }
    })
  } finally {
    await origin.close()
    await releaseLease(ctx.db, lease)
  }
}
