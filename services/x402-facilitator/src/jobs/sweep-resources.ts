import { every } from '@callboard/runtime'
import { HOUR_MS } from '@callboard/values'
import type { FacilitatorContext } from '../context.ts'
import { KEPT_MS } from '../domain/listing-verdict.ts'
import { sweepResources as sweep } from '../store/resource-listing.repository.ts'

/** Ends listings of resources that are no longer paid for. */
export const sweepResources = every<FacilitatorContext>('sweep-resources', HOUR_MS, ({ db, clock }) =>
  sweep(db, {
    settledBefore: new Date(clock.now() - KEPT_MS),
    forgottenBefore: new Date(clock.now() - 2 * KEPT_MS),
  }),
)
