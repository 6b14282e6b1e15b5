import { type Job, pause } from '@callboard/runtime'
import type { ProberKit } from '../kit.ts'
import { leaseDueOrigins } from '../store/origin.repository.ts'
import { visitOrigin } from '../visit-origin.ts'

/**
 * Visits origins as they come due, up to `PROBE_CONCURRENCY` at once. A visit that fails is logged; the others go on,
 * and its lease ends by itself.
 */
export const schedule: Job<ProberKit> = {
  name: 'schedule',
  async run(kit, signal) {
    const { PROBE_CONCURRENCY, PROBE_POLL_MS, PROBE_LEASE_MS } = kit.config
    const visits = new Set<Promise<void>>()
    const outcome = (value: 'ok' | 'failed') =>
      kit.metrics.jobRuns.inc({ service: kit.name, job: 'schedule', outcome: value })

    while (!signal.aborted) {
      const limit = PROBE_CONCURRENCY - visits.size
      const due = { now: kit.clock.now(), token: kit.newId(), limit, leaseMs: PROBE_LEASE_MS }
      const leases = await leaseDueOrigins(kit.db, due).catch((error: unknown) => {
        kit.log.error({ err: error }, 'the schedule could not be read')
        return []
      })
      for (const lease of leases) {
        const visit = visitOrigin(kit, lease, signal).then(
          () => outcome('ok'),
          (error: unknown) => {
            outcome('failed')
            kit.log.error({ err: error, origin: lease.origin }, 'a visit failed')
          },
        )
        visits.add(visit)
        visit.finally(() => visits.delete(visit))
      }
      await (visits.size >= PROBE_CONCURRENCY ? Promise.race(visits) : pause(PROBE_POLL_MS, signal))
    }
    await Promise.all(visits)
  },
}
