import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'
import { rateLimited } from '../../refusals.ts'
import { shownText } from '../../schemas/shown-text.ts'
import { Slug, Timestamp } from '../../schemas/words.ts'

/** What a report is about. */
export const ReportKind = z.enum(['bug', 'listing', 'payment', 'link', 'router', 'other'])

/** Only what its sender writes: no address, no program, no credential. */
export const SupportReport = z.strictObject({
  kind: ReportKind,
  message: shownText('paragraphs', 2_000).min(1),
  /** The listing in question. */
  slug: Slug.optional(),
  /** The operation, by its id, and the error code that it answered. */
  operation: z
    .string()
    .regex(/^[a-z0-9-]{1,40}\.[A-Za-z]{1,40}$/, 'must be the id of an operation')
    .optional(),
  code: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/, 'must be an error code')
    .optional(),
  /** `X-Request-Id` of the answer. With it the operator finds the request in our logs, and so its sender. */
  requestId: z.uuid().optional(),
})
export type SupportReport = z.output<typeof SupportReport>

export const submitReport = operation({
  id: 'catalog.submitReport',
  summary: 'Report a problem to the operator; only the written report is kept',
  timeoutMs: 5_000,
  http: { method: 'POST', path: '/api/support/reports', auth: 'none', limit: 'report', ok: 201 },
  input: SupportReport,
  output: z.object({
    /** Identifies the report to the operator. */
    id: z.uuid(),
    /** When it is deleted. */
    expiresAt: Timestamp,
  }),
  errors: [rateLimited],
})

/** A report’s place in the list. */
const ReportPlace = z.object({ day: z.iso.date(), id: z.uuid() })

/** Called only by the operator command, never over HTTP. */
export const reports = operation({
  id: 'catalog.reports',
  summary: 'A page of the support reports, newest day first',
  timeoutMs: 5_000,
  input: z.object({ limit: z.number().int().min(1).max(200), after: ReportPlace.optional() }),
  output: z.object({
    /** As many as fit into an answer: reports are as long as anyone cares to write them. */
    reports: z.array(SupportReport.extend({ ...ReportPlace.shape, expiresAt: Timestamp })),
    /** Absent on the last page. */
    next: ReportPlace.optional(),
  }),
  errors: [],
})

nameSchemas({ ReportKind, SupportReport })
