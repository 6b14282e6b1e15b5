import { every } from '@callboard/runtime'
import { DAY_MS, HOUR_MS } from '@callboard/values'
import type { FacilitatorContext } from '../context.ts'
import { KEPT_MS } from '../domain/listing-verdict.ts'
import { sweepResources as sweep } from '../store/resource-listing.repository.ts'

/** Ends listings of resources that are no longer paid for, and forgets what is not needed of the others. */
export const sweepResources = every<FacilitatorContext>('sweep-resources', HOUR_MS, ({ db, clock, config }) =>
  sweep(db, {
    settledBefore: new Date(clock.now() - KEPT_MS),
    forgottenBefore: new Date(clock.now() - 2 * KEPT_MS),
    // A newer one is compared with terms that are settled later.
    readBefore: new Date(clock.now() - Math.max(DAY_MS, config.DISCOVERY_PROBE_INTERVAL_MS)),
  }),
)
