import { z } from 'zod'
import { operation } from '../operation.ts'
import { Liveness, ProbeState } from '../schemas/liveness.ts'
import { ProbeResult } from '../schemas/probe.ts'
import { EndpointUrl, HttpMethod, Slug, Timestamp } from '../schemas/words.ts'

/** What one probe met. `result` is null where no answer was read; `message` never says more of a target than its state. */
export const ProbeReport = z.object({
  state: ProbeState,
  result: ProbeResult.nullable(),
  httpStatus: z.number().int().nullable(),
  /** From request to the head of the answer; null where none came. */
  latencyMs: z.number().nonnegative().nullable(),
  checkedAt: Timestamp,
  message: z.string(),
})
export type ProbeReport = z.output<typeof ProbeReport>

export const probe = operation({
  id: 'liveness-prober.probe',
  summary: 'Call one URL of a stranger now, unpaid, and read its challenge',
  timeoutMs: 20_000,
  input: z.object({
    url: EndpointUrl,
    method: HttpMethod.optional(),
    /** JSON Schema of the request, where it is known: a sample body is made from it. */
    inputSchema: z.record(z.string(), z.unknown()).optional(),
  }),
  output: ProbeReport,
  errors: [],
})

/** What the schedule checks, with each target's rolling week. */
export const targets = operation({
  id: 'liveness-prober.targets',
  summary: 'The endpoints of a listing under watch, and how they did this week',
  timeoutMs: 5_000,
  input: z.object({ slug: Slug }),
  output: z.object({
    targets: z.array(
      z.object({
        url: z.string(),
        method: HttpMethod,
        state: ProbeState.nullable(),
        lastCheckedAt: Timestamp.nullable(),
        nextDueAt: Timestamp,
        liveness: Liveness,
      }),
    ),
  }),
  errors: [],
})
