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

/** Why no document was read; no more is told of what stands behind an address. */
export const ReadFailure = ProbeState.extract(['refused_target', 'dns', 'tls', 'timeout', 'too_large', 'unreachable'])
export type ReadFailure = z.output<typeof ReadFailure>

/** The body is read at 200 and at no other status; redirects are not followed. */
export const readDocument = operation({
  id: 'liveness-prober.readDocument',
  summary: 'Read one small document of a stranger now',
  timeoutMs: 12_000,
  input: z.object({ url: EndpointUrl, maxBytes: z.number().int().min(1).max(65_536) }),
  output: z.discriminatedUnion('ok', [
    z.object({
      ok: z.literal(true),
      status: z.number().int(),
      /** Lower case and without parameters; null where none was named. */
      mediaType: z.string().nullable(),
      /** What `Cache-Control` allows: 0 where it forbids keeping, null where it says nothing. */
      maxAgeSeconds: z.number().int().nonnegative().nullable(),
      /** Empty unless the status is 200. */
      text: z.string(),
    }),
    z.object({ ok: z.literal(false), state: ReadFailure, message: z.string() }),
  ]),
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
