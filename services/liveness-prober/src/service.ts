import { listingChanged, listingRemoved, livenessProber as operations, probeCompleted } from '@callboard/contract'
import { on, service } from '@callboard/runtime'
import { Config } from './config.ts'
import { onListingChanged } from './consumers/listing-changed.ts'
import { onListingRemoved } from './consumers/listing-removed.ts'
import { schedule } from './jobs/schedule.ts'
import { sweepDays } from './jobs/sweep-days.ts'
import type { Parts } from './kit.ts'
import { proberMeters, readSchedule } from './meters.ts'
import { probe } from './operations/probe.ts'
import { readDocument } from './operations/read-document.ts'
import { targets } from './operations/targets.ts'
import { openParts } from './parts.ts'
import * as targetTables from './store/migrations/0001-targets.ts'
import type { ProberTables } from './store/tables.ts'

/** The only room that fetches URLs of strangers: what is asked for now, and the schedule that watches live listings. */
export const livenessProber = service<typeof Config, ProberTables, Parts, typeof operations>({
  name: 'liveness-prober',
  config: Config,
  migrations: { '0001-targets': targetTables },
  open: async (kit) => {
    const meters = proberMeters(kit.metrics.registry)
    readSchedule(meters, kit.metrics.readings, kit)
    return { ...openParts(kit.config), meters }
  },
  operations,
  serves: { probe, readDocument, targets },
  consumes: [on(listingChanged, onListingChanged), on(listingRemoved, onListingRemoved)],
  publishes: [probeCompleted],
  jobs: [schedule, sweepDays],
})
