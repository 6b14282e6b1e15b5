import {
  listingChanged,
  listingRemoved,
  livenessProber as operations,
  probeCompleted,
  probeRequested,
  resourceProbed,
} from '@callboard/contract'
import { on, onBatch, service } from '@callboard/runtime'
import { Config } from './config.ts'
import { onListings } from './consumers/listings.ts'
import { onProbeRequested } from './consumers/probe-requested.ts'
import type { Resources } from './context.ts'
import { schedule } from './jobs/schedule.ts'
import { sweepDays } from './jobs/sweep-days.ts'
import { proberMeters, readSchedule } from './meters.ts'
import { keyDirectory } from './operations/key-directory.ts'
import { probe } from './operations/probe.ts'
import { readDocument } from './operations/read-document.ts'
import { readSource } from './operations/read-source.ts'
import { targets } from './operations/targets.ts'
import { openResources } from './resources.ts'
import * as targetTables from './store/migrations/0001-targets.ts'
import * as resourceProbeTables from './store/migrations/0002-resource-probes.ts'
import * as samples from './store/migrations/0003-samples.ts'
import * as described from './store/migrations/0004-described.ts'
import * as mirroredTargets from './store/migrations/0005-mirrored-targets.ts'
import * as alone from './store/migrations/0006-alone.ts'
import * as leftOut from './store/migrations/0007-left-out.ts'
import * as sites from './store/migrations/0008-sites.ts'
import * as supersededChecksIndex from './store/migrations/0009-superseded-checks.ts'
import { supersededChecks } from './store/superseded-checks.ts'
import type { ProberTables } from './store/tables.ts'

/** An import of the mirror publishes many listings at once. */
const LISTINGS_LINGER_MS = 20

/** The only service that fetches third parties' URLs: on demand, for live listings, and for resources paid for. */
export const livenessProber = service<typeof Config, ProberTables, Resources, typeof operations>({
  name: 'liveness-prober',
  config: Config,
  migrations: {
    '0001-targets': targetTables,
    '0002-resource-probes': resourceProbeTables,
    '0003-samples': samples,
    '0004-described': described,
    '0005-mirrored-targets': mirroredTargets,
    '0006-alone': alone,
    '0007-left-out': leftOut,
    '0008-sites': sites,
    '0009-superseded-checks': supersededChecksIndex,
  },
  open: async (ctx) => {
    const meters = proberMeters(ctx.metrics.registry)
    readSchedule(meters, ctx.metrics.collectors, ctx)
    return { ...openResources(ctx.config, () => ctx.clock.now()), meters }
  },
  operations,
  serves: { probe, readDocument, readSource, targets, keyDirectory },
  consumes: [
    ...onBatch([listingChanged, listingRemoved], LISTINGS_LINGER_MS, onListings),
    on(probeRequested, onProbeRequested),
  ],
  publishes: [probeCompleted, resourceProbed],
  supersedes: [supersededChecks],
  jobs: [schedule, sweepDays],
})
