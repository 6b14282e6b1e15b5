import type { Collectors, Sample } from '@callboard/runtime'
import type { Meters } from './meters.ts'
import { discoveryBacklog } from './store/resource-listing.repository.ts'
import type { FacilitatorDb } from './store/tables.ts'

/** Reads discovery's gauges when `/metrics` is scraped: resources by state, and how late their probes are. */
export function readDiscovery(
  meters: Meters,
  collectors: Collectors,
  { db, clock }: { readonly db: FacilitatorDb; readonly clock: { now(): number } },
): void {
  collectors.add('x402-facilitator discovery', async () => {
    const { listed, unlisted, unprobed, oldestSeconds } = await discoveryBacklog(db, new Date(clock.now()))
    const of = (state: string, value: number): Sample => ({ gauge: meters.resources, labels: { state }, value })
    return [
      of('listed', listed),
      of('unlisted', unlisted),
      of('unprobed', unprobed),
      { gauge: meters.resourcesOldestDueSeconds, labels: {}, value: oldestSeconds },
    ]
  })
}
