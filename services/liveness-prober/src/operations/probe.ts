import type { livenessProber } from '@callboard/contract'
import { isoTime, isRefusal } from '@callboard/values'
import { acquireLease } from '../acquire-lease.ts'
import type { ProberHandler } from '../context.ts'
import { guardedOrigin } from '../guarded-fetch/index.ts'
import { probeEndpoint } from '../probe-endpoint.ts'
import { recordRecheck } from '../record-recheck.ts'
import { releaseLease } from '../store/origin.repository.ts'
import { withLease } from '../with-lease.ts'

export const probe: ProberHandler<typeof livenessProber.probe> = async (input, ctx) => {
  const { url, method, inputSchema, sample, slug } = input
  const endpoint = { url: new URL(url), method, inputSchema, sample }
  const lease = await acquireLease(ctx, endpoint.url.origin, ctx.signal)
  if (isRefusal(lease)) return lease
  const origin = guardedOrigin(endpoint.url, ctx.resources.guard)
  try {
    return await withLease(ctx, lease, ctx.signal, async (signal) => {
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
