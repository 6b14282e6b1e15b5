import { z } from 'zod'
import { operation } from '../../operation.ts'
import { invalidRequest, invalidState, notFound } from '../../refusals.ts'
import { OperatorName, VerdictReason } from '../../schemas/checklist.ts'
import { EndpointUrl, HttpMethod, Slug, Timestamp } from '../../schemas/words.ts'

/** The kind of document that a source of the mirror publishes. */
export const SourceKind = z.enum(['facilitator', 'openapi', 'well-known', 'api-catalog'])
export type SourceKind = z.output<typeof SourceKind>

/** A source as configured, in the file of sources or by the operator command. */
export const MirrorSource = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single hyphens')
    .max(40),
  kind: SourceKind,
  url: EndpointUrl,
  /** The query filters for a facilitator. */
  filters: z
    .partialRecord(z.enum(['type', 'network', 'scheme', 'asset', 'payTo', 'extensions']), z.string().min(1).max(128))
    .default({}),
  /** From the end of one import to the start of the next. */
  intervalHours: z.number().min(0.1).max(720).default(6),
})
export type MirrorSource = z.output<typeof MirrorSource>

/** The sources of the mirror; called only by the operator command, never over HTTP. */
export const sources = operation({
  id: 'listings.sources',
  summary: 'Add, remove or import a mirror source, and get the state of all sources',
  timeoutMs: 10_000,
  input: z.discriminatedUnion('action', [
    z.object({ action: z.literal('list') }),
    z.object({ action: z.literal('add'), source: MirrorSource, by: OperatorName.optional() }),
    z.object({ action: z.enum(['remove', 'run']), name: z.string(), by: OperatorName.optional() }),
  ]),
  output: z.object({
    sources: z.array(
      MirrorSource.extend({
        configuredBy: z.enum(['file', 'operator']),
        /** Resources that it names. */
        resources: z.number().int(),
        dueAt: Timestamp,
        lastGoodAt: Timestamp.nullable(),
        /** Imports in a row that failed, and why the last one did. */
        failures: z.number().int(),
        problem: z.string().nullable(),
        /** Entries that the last import left out, counted by reason. */
        notTaken: z.record(z.string(), z.number().int()),
      }),
    ),
  }),
  errors: [notFound, invalidState],
})

/** The terms of a mirrored row that are not payable yet; called only by the operator command, never over HTTP. */
export const reviewMirrored = operation({
  id: 'listings.reviewMirrored',
  summary: 'Read a mirrored row and why it is suspended, approve what it asks for now, suspend it, or reverse that',
  timeoutMs: 5_000,
  input: z.object({
    slug: Slug,
    verdict: z.enum(['look', 'approve', 'suspend', 'reopen']),
    /** The `seen` of an earlier look, required by `approve`: exactly what was looked at is approved, or nothing. */
    seen: z.string().max(100).optional(),
    /** Required for `suspend`; shown to an owner of the row. */
    reason: VerdictReason.optional(),
    /** Who gives the verdict, as they say themselves. */
    by: OperatorName.optional(),
  }),
  output: z.object({
    slug: Slug,
    state: z.enum(['unprobed', 'payable', 'unpayable', 'stale', 'suspended']),
    reason: z.string().nullable(),
    method: HttpMethod,
    url: z.string(),
    title: z.string(),
    /** By name. */
    sources: z.array(z.string()),
    /** Ways to pay in words: the approved ones, and those of the last probe. */
    approved: z.array(z.string()),
    asked: z.array(z.string()),
    checkedAt: Timestamp.nullable(),
    /** Identifies what the last probe read; another reading has another value. */
    seen: z.string(),
  }),
  errors: [notFound, invalidState, invalidRequest],
})
