import { z } from 'zod'
import { event } from '../event.ts'
import { Conformance, Liveness, ProbeState } from '../schemas/liveness.ts'
import { ProbedOperation, ShownOffer } from '../schemas/probe.ts'
import { ProbeFinding } from '../schemas/probe-findings.ts'
import { HttpMethod, Slug, Timestamp } from '../schemas/words.ts'

/** The scheduler checked one endpoint of a live listing. `liveness` covers the past week of the whole listing. */
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
    /** What the endpoint offers now: empty where it no longer charges, null where the check learnt nothing. */
    accepts: z.array(ShownOffer).nullable(),
    conformance: Conformance.nullable(),
    /** What the endpoint says about itself; absent where unchanged since the last check, or where nothing was read. */
    described: ProbedOperation.pick({
      description: true,
      metadataEvidence: true,
      inputSchema: true,
      inputExample: true,
      outputSchema: true,
    }).optional(),
    liveness: Liveness,
    /** How many checks in a row were down, including this one. */
    consecutiveDown: z.number().int().nonnegative(),
  }),
})
