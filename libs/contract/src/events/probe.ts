import { z } from 'zod'
import { event } from '../event.ts'
import { Conformance, Liveness, ProbeState } from '../schemas/liveness.ts'
import { ShownOffer } from '../schemas/probe.ts'
import { HttpMethod, Slug, Timestamp } from '../schemas/words.ts'

/** The schedule checked one endpoint of a live listing. `liveness` is the rolling week of the whole listing. */
export const probeCompleted = event({
  id: 'probe.completed',
  version: 1,
  summary: 'One endpoint of a live listing was checked',
  key: 'slug',
  data: z.object({
    slug: Slug,
    url: z.string(),
    method: HttpMethod,
    state: ProbeState,
    verdict: z.enum(['up', 'down', 'neutral']),
    latencyMs: z.number().nonnegative().nullable(),
    checkedAt: Timestamp,
    /** What the endpoint offers now; null where no challenge was read. */
    accepts: z.array(ShownOffer).nullable(),
    conformance: Conformance.nullable(),
    liveness: Liveness,
    /** How many checks in a row were down, this one included. */
    consecutiveDown: z.number().int().nonnegative(),
  }),
})
