import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { HttpMethod, ListingStatus, Slug, Timestamp, Verification } from './words.ts'

/** Where a listing can be shown: the results of the directory, with and without unreviewed listings. */
export const DirectoryResult = z.enum([
  'discovery',
  'discovery?includeUnverified=true',
  'services',
  'services?includeUnverified=true',
  'calls',
])
export type DirectoryResult = z.output<typeof DirectoryResult>

/** A listing in one result, as the replica that answered has it. */
export const ShownIn = z.object({
  result: DirectoryResult,
  /** From 1, among the first ten thousand; null where it is not among them. */
  place: z.number().int().positive().nullable(),
  /** Whether the result is longer than that, so that the listing may come after them. */
  isLonger: z.boolean(),
})
export type ShownIn = z.output<typeof ShownIn>

/** What keeps a listing out of a result, or from being found by a query. */
export const HiddenBecause = z.enum([
  'draft',
  'suspended',
  'rejected',
  'no_payable_endpoint',
  'not_verified',
  'verification_requested',
  'not_checked',
  'not_up',
  'not_matched',
  'not_indexed',
])
export type HiddenBecause = z.output<typeof HiddenBecause>

/** Why a listing is not shown, what its owner can do, and the deadline of whatever is in progress. */
export const HiddenReason = z.object({
  code: HiddenBecause,
  message: z.string(),
  mend: z.string(),
  /** When it is decided or checked next without action by its owner; null where it waits for the owner. */
  deadline: Timestamp.nullable(),
  /** The endpoint in question; absent where it concerns the listing. */
  endpoint: z.object({ method: HttpMethod, url: z.string() }).optional(),
})
export type HiddenReason = z.output<typeof HiddenReason>

/** A listing's place in each result, and why it is not in the others. */
export const ListingVisibility = z.object({
  slug: Slug,
  status: ListingStatus,
  verification: Verification,
  results: z.array(
    z.object({
      result: DirectoryResult,
      shown: z.boolean(),
      /** From 1, among the first ten thousand; null after them, and where it is not shown. */
      place: z.number().int().positive().nullable(),
      /** Empty where it is shown. */
      reasons: z.array(HiddenReason),
    }),
  ),
})
export type ListingVisibility = z.output<typeof ListingVisibility>

nameSchemas({ DirectoryResult, HiddenBecause, HiddenReason, ListingVisibility })
