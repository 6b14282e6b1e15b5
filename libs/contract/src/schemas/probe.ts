import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { Conformance } from './liveness.ts'
import { HttpMethod } from './words.ts'

/** Where an operation's method and schemas were learnt. */
export const MetadataEvidence = z.enum(['bazaar', 'openapi', 'output-schema', 'well-known', 'probe', 'none'])
export type MetadataEvidence = z.output<typeof MetadataEvidence>

/** One accepted way to pay, as the endpoint offers it, with our verdict on whether it can be paid. */
export const ShownOffer = z.object({
  scheme: z.string(),
  network: z.string(),
  asset: z.string(),
  amount: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.number().optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
  payable: z.boolean(),
  /** Why it cannot be paid; null when it can. */
  notPayableReason: z.string().nullable(),
})
export type ShownOffer = z.output<typeof ShownOffer>

/**
 * Reasons why the stock client cannot pay an entry that others can: the entry itself is sound. `permit2` works, but we
 * do not settle it; clients of MCP can pay for a tool.
 */
const PAYABLE_BY_SOME: ReadonlySet<string | null> = new Set([
  'version',
  'transport',
  'behind-unpayable',
  'transfer-method',
  'mcp',
])

/** Whether some client can pay an entry: each of those has to pay a listing's splitter. */
export const isPayableBySome = ({ payable, notPayableReason }: ShownOffer): boolean =>
  payable || PAYABLE_BY_SOME.has(notPayableReason)

export const ProbedOperation = z.object({
  method: HttpMethod,
  url: z.string(),
  name: z.string(),
  description: z.string().optional(),
  metadataEvidence: MetadataEvidence,
  /** JSON Schema of the request, where the endpoint publishes it. */
  inputSchema: z.record(z.string(), z.unknown()).optional(),
  /** The endpoint's own example of its body or its query. */
  inputExample: z.record(z.string(), z.unknown()).optional(),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  /** Path with `:name` placeholders, where one offer covers many URLs. */
  routeTemplate: z.string().optional(),
})
export type ProbedOperation = z.output<typeof ProbedOperation>

export const MppChallenge = z.object({
  id: z.string(),
  realm: z.string(),
  method: z.string(),
  intent: z.string(),
  /** The decoded request; null where it cannot be read, or is too long to show. */
  request: z.record(z.string(), z.unknown()).nullable(),
  expires: z.string().optional(),
  description: z.string().optional(),
})
export type MppChallenge = z.output<typeof MppChallenge>

/** An entry of `accepts` that could not be read, as given; without `entry` where that is too long to show. */
export const UnreadEntry = z.object({
  /** Its place in `accepts`, from 0. */
  index: z.number().int().nonnegative(),
  issue: z.string(),
  entry: z.unknown().optional(),
})
export type UnreadEntry = z.output<typeof UnreadEntry>

/** A tool that an MCP server sells, and what it asked for when called without payment. */
export const SoldTool = z.object({
  name: z.string(),
  description: z.string().optional(),
  /** JSON Schema of its arguments, where the server lists it and it is not too long. */
  inputSchema: z.record(z.string(), z.unknown()).optional(),
  x402Version: z.number().int().nullable(),
  /** None is payable over HTTP: MCP clients pay them. */
  accepts: z.array(ShownOffer),
  /** Entries of the offer that could not be read. */
  unread: z.array(UnreadEntry),
})
export type SoldTool = z.output<typeof SoldTool>

/** How an endpoint answers a call without payment. */
export const ProbeResult = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('x402'),
    x402Version: z.number().int().nullable(),
    accepts: z.array(ShownOffer),
    endpoint: z.string(),
    operations: z.array(ProbedOperation),
    conformance: Conformance,
    /** Entries of the offer that could not be read. */
    unread: z.array(UnreadEntry),
    /** The offer's extensions by name, as far as they can be shown. */
    extensions: z.record(z.string(), z.unknown()),
    /** Challenges of the machine payments protocol next to the offer. */
    challenges: z.array(MppChallenge),
  }),
  z.object({
    kind: z.literal('mpp'),
    endpoint: z.string(),
    operations: z.array(ProbedOperation),
    /** The first one. */
    challenge: MppChallenge,
    /** All of them, in order. */
    challenges: z.array(MppChallenge),
  }),
  z.object({
    kind: z.literal('mcp'),
    endpoint: z.string(),
    operations: z.array(ProbedOperation),
    /** Tools that say they are sold, and that asked for payment: the first eight. */
    tools: z.array(SoldTool),
  }),
  z.object({ kind: z.literal('plain'), operations: z.array(ProbedOperation) }),
])
export type ProbeResult = z.output<typeof ProbeResult>

nameSchemas({
  MetadataEvidence,
  ShownOffer,
  ProbedOperation,
  MppChallenge,
  UnreadEntry,
  SoldTool,
})
