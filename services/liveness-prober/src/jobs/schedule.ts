import { type Job, PollTimer, schemaOf } from '@callboard/runtime'
import type { ProberContext } from '../context.ts'
import { leaseDueOrigins, nextVisitMs, originsChannel } from '../store/origin.repository.ts'
import { visitOrigin } from '../visit-origin.ts'
import { VisitedSites } from '../visited-sites.ts'
import { withLease } from '../with-lease.ts'

/**
 * Visits origins as they come due, up to `PROBE_CONCURRENCY` at once and an eighth of that on one site, and sleeps until
 * the next is due. A visit that fails is logged; the others go on, and its lease expires on its own.
 */
export const schedule: Job<ProberContext> = {
  name: 'schedule',
  async run(ctx, signal) {
    const { PROBE_CONCURRENCY, PROBE_POLL_MS, PROBE_LEASE_MS } = ctx.config
    const timer = new PollTimer(ctx.notifications, {
      channels: [originsChannel(schemaOf(ctx.name))],
      pollMs: PROBE_POLL_MS,
    })
    const visits = new Set<Promise<void>>()
    const sites = new VisitedSites(PROBE_CONCURRENCY)
    const outcome = (value: 'ok' | 'failed') =>
      ctx.metrics.jobRuns.inc({ service: ctx.name, job: 'schedule', outcome: value })

    while (!signal.aborted) {
      timer.begin()
      const dueInMs = await nextVisitMs(ctx.db, ctx.clock.now()).catch(() => 0)
      if (dueInMs === undefined || dueInMs > 0) {
        await timer.next(dueInMs, signal)
        continue
      }
      const limit = Math.min(sites.room, PROBE_CONCURRENCY - visits.size)
      const by = { token: ctx.newId(), leaseMs: PROBE_LEASE_MS }
      const due = { ...by, now: ctx.clock.now(), limit, fullSites: sites.full }
      const leases = await leaseDueOrigins(ctx.db, due).catch((error: unknown) => {
        ctx.log.error({ err: error }, 'the schedule could not be read')
        return []
      })
      for (const lease of leases) {
        const visit = withLease(ctx, lease, signal, (held) => visitOrigin(ctx, lease, held)).then(
          () => outcome('ok'),
          (error: unknown) => {
            outcome('failed')
            ctx.log.error({ err: error, origin: lease.origin }, 'a visit failed')
          },
        )
        visits.add(visit)
        sites.began(lease.origin)
        visit.finally(() => {
          visits.delete(visit)
          sites.ended(lease.origin)
        })
      }
      if (visits.size >= PROBE_CONCURRENCY) await Promise.race(visits)
      else if (leases.length < limit) await timer.next(0, signal)
    }
    timer.end()
    await Promise.all(visits)
  },
}
