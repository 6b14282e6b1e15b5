import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { Address, Category, Network, Timestamp, Usd } from './words.ts'

/** A posting offers work without a paid endpoint (`service_offer`), or asks for something to buy (`open_request`). */
export const PostingKind = z.enum(['service_offer', 'open_request'])
export type PostingKind = z.output<typeof PostingKind>

/** Begins unlike any slug, so that a `ref` of discovery is unambiguous. */
export const PostingId = z.string().regex(/^posting_[0-9a-f-]{36}$/, 'must be the id of a posting')

/** The longest time that a posting stays open without renewal. */
export const MOST_POSTING_DAYS = 30

/** A token on a network in which the poster wants to be paid, or to pay. */
export const PostingAsset = z.object({ network: Network, asset: Address })

/** `expired` is never stored: it is an open posting past its `expiresAt`. */
export const PostingStatus = z.enum(['open', 'closed', 'expired', 'taken_down'])
export type PostingStatus = z.output<typeof PostingStatus>

const common = {
  id: PostingId,
  kind: PostingKind,
  title: z.string(),
  description: z.string(),
  category: Category,
  /** The price of an offer, or the most that a request will pay. */
  amountUsd: Usd,
  accepts: z.array(PostingAsset).min(1),
  /** Where to contact the poster. We never fetch it. */
  contactUrl: z.string(),
  /** The wallet that signed in, or whose agent or key posted. */
  postedBy: Address,
  /** Whether a live listing of the poster was verified by the operator. */
  hasVerifiedListing: z.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp,
}

/** The fields of a posting that its poster claims and no one has verified. */
export const CLAIMED_BY_POSTER = [
  'title',
  'description',
  'category',
  'amountUsd',
  'accepts',
  'contactUrl',
] as const satisfies readonly (keyof typeof common)[]

/** An open posting as shown publicly. `claims` names the members that only its poster vouches for. */
export const Posting = z.object({ ...common, claims: z.array(z.enum(CLAIMED_BY_POSTER)) })
export type Posting = z.output<typeof Posting>

/** A posting as its owner sees it; `endedBecause` is why the operator took it down, or why it lost its place. */
export const PostingRecord = z.object({ ...common, status: PostingStatus, endedBecause: z.string().nullable() })
export type PostingRecord = z.output<typeof PostingRecord>

/** A posting as published to other services: each version carries all of it. */
export const PostingSnapshot = z.object({
  ...common,
  version: z.number().int().positive(),
  status: PostingStatus.exclude(['expired']),
})
export type PostingSnapshot = z.output<typeof PostingSnapshot>

nameSchemas({ PostingKind, PostingStatus, Posting, PostingRecord })
