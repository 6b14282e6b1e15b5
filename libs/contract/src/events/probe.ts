import { z } from 'zod'
import { event } from '../event.ts'
import { Conformance, Liveness, ProbeState } from '../schemas/liveness.ts'
import { ProbedOperation, ShownOffer } from '../schemas/probe.ts'
import { ProbeFinding } from '../schemas/probe-findings.ts'
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
    /** Finer than the state; absent where an older process checked, or one that knows more findings. */
    finding: ProbeFinding.optional().catch(undefined),
    verdict: z.enum(['up', 'down', 'neutral']),
    latencyMs: z.number().nonnegative().nullable(),
    checkedAt: Timestamp,
    /** What the endpoint offers now: empty where it charges no longer, null where nothing was learnt of it. */
    accepts: z.array(ShownOffer).nullable(),
    conformance: Conformance.nullable(),
    /** What the endpoint says of itself; absent where that is what the check before found, or nothing was read. */
    described: ProbedOperation.pick({
      description: true,
      metadataEvidence: true,
      inputSchema: true,
      outputSchema: true,
    }).optional(),
    liveness: Liveness,
    /** How many checks in a row were down, this one included. */
    consecutiveDown: z.number().int().nonnegative(),
  }),
})
