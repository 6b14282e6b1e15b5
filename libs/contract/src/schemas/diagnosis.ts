import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { ProbeState } from './liveness.ts'
import { ProbeResult } from './probe.ts'
import { ProbeFinding } from './probe-findings.ts'
import { HttpMethod } from './words.ts'

/** The page that explains each finding and each issue with its mend, below the public base URL. */
export const PROBE_DOCS_PATH = '/docs/probes'

/** A fault of an offer, and how its seller fixes it. */
const Remark = z.object({ code: z.string(), message: z.string(), mend: z.string(), docs: z.string() })

/** A way to pay that an endpoint offers, with the reasons why it cannot be used here. */
const OfferedWay = z.object({
  scheme: z.string(),
  network: z.string(),
  asset: z.string(),
  amount: z.string(),
  payTo: z.string(),
  payable: z.boolean(),
  /** Both are null where it can be paid. */
  message: z.string().nullable(),
  mend: z.string().nullable(),
})

/** A way to pay that would be accepted here. */
const WantedWay = z.object({
  scheme: z.literal('exact'),
  network: z.string(),
  asset: z.string(),
  /** The listing's fee splitter; absent where no listing is meant. */
  payTo: z.string().optional(),
})

/** What a probe found, in words, and how its provider fixes it. */
export const Diagnosis = z.object({
  state: ProbeState,
  finding: ProbeFinding,
  message: z.string(),
  mend: z.string(),
  /** The page of the finding. */
  docs: z.string(),
  /** Null where no answer was read. */
  httpStatus: z.number().int().nullable(),
  redirectTo: z.string().optional(),
  /** The methods that would work, where the answer or the origin’s OpenAPI document names them. */
  methods: z.array(HttpMethod).optional(),
  contentEncoding: z.string().optional(),
  /** The offer's ways to pay, if any: the first eight. */
  offered: z.array(OfferedWay),
  wanted: z.array(WantedWay),
  /** The issues of the offer, each with its mend. */
  issues: z.array(Remark),
})
export type Diagnosis = z.output<typeof Diagnosis>

const [x402, mpp, mcp, plain] = ProbeResult.options

/** How an endpoint answers a call without payment, and what a probe concludes from it. */
export const DiagnosedProbe = z.discriminatedUnion('kind', [
  x402.extend(Diagnosis.shape),
  mpp.extend(Diagnosis.shape),
  mcp.extend(Diagnosis.shape),
  plain.extend(Diagnosis.shape),
])
export type DiagnosedProbe = z.output<typeof DiagnosedProbe>

const [X402ProbeResult, MppProbeResult, McpProbeResult, PlainProbeResult] = DiagnosedProbe.options

nameSchemas({ X402ProbeResult, MppProbeResult, McpProbeResult, PlainProbeResult, ProbeResult: DiagnosedProbe })
