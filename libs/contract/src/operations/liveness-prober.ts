import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { operation } from '../operation.ts'
import { notFound, rateLimited } from '../refusals.ts'
import { Liveness, ProbeState } from '../schemas/liveness.ts'
import { ProbeResult } from '../schemas/probe.ts'
import { type FindingOf, ProbeFinding } from '../schemas/probe-findings.ts'
import { EndpointSample } from '../schemas/sample.ts'
import { EndpointUrl, HttpMethod, Slug, Timestamp } from '../schemas/words.ts'

/** What one probe found. `result` is null where no answer was read; `message` is the finding's. */
export const ProbeReport = z.object({
  state: ProbeState,
  finding: ProbeFinding,
  result: ProbeResult.nullable(),
  httpStatus: z.number().int().nullable(),
  /** From request to the response headers; null where none came. */
  latencyMs: z.number().nonnegative().nullable(),
  checkedAt: Timestamp,
  /** The finding's sentence, plus details from this answer. */
  message: z.string(),
  mend: z.string(),
  /** Where a redirect leads to; absent at any other status. */
  redirectTo: z.string().optional(),
  /** The methods that would work, by `Allow` or by the origin's OpenAPI document; absent where neither names any. */
  methods: z.array(HttpMethod).optional(),
  /** The content codings of the answer's body; absent for none. */
  contentEncoding: z.string().optional(),
})
export type ProbeReport = z.output<typeof ProbeReport>

export const probe = operation({
  id: 'liveness-prober.probe',
  summary: 'Call one third-party URL now, without payment, and read its challenge',
  timeoutMs: 20_000,
  input: z.object({
    url: EndpointUrl,
    method: HttpMethod.optional(),
    /** JSON Schema of the request, where known: a sample body is generated from it. */
    inputSchema: z.record(z.string(), z.unknown()).optional(),
    /** The listing on whose behalf it is probed: if its endpoint is watched, the probe is recorded as a check. */
    slug: Slug.optional(),
    /** The sample that its owner says passes validation; used before any generated from schemas. */
    sample: EndpointSample.optional(),
  }),
  output: ProbeReport,
  errors: [rateLimited],
})

/** Why no document was read; nothing else is disclosed about what is behind an address. */
export const ReadFailure = ProbeState.extract(['refused_target', 'dns', 'tls', 'timeout', 'too_large', 'unreachable'])
export type ReadFailure = z.output<typeof ReadFailure>

/** The findings of a probe that read no answer. */
export type FailureFinding = FindingOf<ReadFailure>

/** The body is read only at status 200; redirects are not followed. */
export const readDocument = operation({
  id: 'liveness-prober.readDocument',
  summary: 'Read one small third-party document now',
  timeoutMs: 12_000,
  input: z.object({ url: EndpointUrl, maxBytes: z.number().int().min(1).max(65_536) }),
  output: z.discriminatedUnion('ok', [
    z.object({
      ok: z.literal(true),
      status: z.number().int(),
      /** Lower case and without parameters; null where none was named. */
      mediaType: z.string().nullable(),
      /** What `Cache-Control` allows: 0 where it forbids storing, null where it says nothing. */
      maxAgeSeconds: z.number().int().nonnegative().nullable(),
      /** Empty unless the status is 200. */
      text: z.string(),
    }),
    z.object({ ok: z.literal(false), state: ReadFailure, message: z.string() }),
  ]),
  errors: [],
})

/** A public key that verifies the signatures of our requests, under its thumbprint (RFC 7638, RFC 8037). */
export const ProberKey = z.object({
  crv: z.literal('Ed25519'),
  kty: z.literal('OKP'),
  x: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
})
export type ProberKey = z.output<typeof ProberKey>

/** Where operators of probed servers find out who probes them. Every key in the answer signs it. */
export const keyDirectory = operation({
  id: 'liveness-prober.keyDirectory',
  summary: 'The keys that sign the requests of the prober (Web Bot Auth)',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/.well-known/http-message-signatures-directory',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: 'public, max-age=300',
    mediaType: 'application/http-message-signatures-directory+json',
    signed: true,
  },
  input: z.strictObject({}),
  output: z.object({
    keys: z.array(ProberKey),
    messageSignature: z.object({ contentDigest: z.string(), signatureInput: z.string(), signature: z.string() }),
  }),
  errors: [notFound],
})

/** Documents of a source must fit into one message even if each of their characters is escaped. */
export const SOURCE_DOCUMENT_BYTES = 480 * 1024

/**
 * The body is read only at status 200; redirects are not followed. Nothing is requested that the origin's robots.txt
 * forbids our prober.
 */
export const readSource = operation({
  id: 'liveness-prober.readSource',
  summary: 'Read one document of a mirror source now, if its robots.txt allows it',
  timeoutMs: 25_000,
  input: z.object({ url: EndpointUrl, maxBytes: z.number().int().min(1).max(SOURCE_DOCUMENT_BYTES) }),
  output: z.discriminatedUnion('ok', [
    z.object({
      ok: z.literal(true),
      status: z.number().int(),
      /** The wait that a 429 or 503 asks for; null at any other status. */
      retryAfterMs: z.number().nonnegative().nullable(),
      /** Empty unless the status is 200. */
      text: z.string(),
    }),
    z.object({ ok: z.literal(false), state: z.enum([...ReadFailure.options, 'robots']), message: z.string() }),
  ]),
  errors: [],
})

/** What the schedule checks, with each target's rolling week. */
/** An endpoint as scheduled. */
export const WatchedTarget = z.object({
  url: z.string(),
  method: HttpMethod,
  state: ProbeState.nullable(),
  lastCheckedAt: Timestamp.nullable(),
  nextDueAt: Timestamp,
  liveness: Liveness,
})

export const targets = operation({
  id: 'liveness-prober.targets',
  summary: 'The watched endpoints of a listing, and their results this week',
  timeoutMs: 5_000,
  input: z.object({ slug: Slug }),
  output: z.object({
    targets: z.array(WatchedTarget),
  }),
  errors: [],
})

nameSchemas({ ProberKey })
