import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { Address, Category, Network, Timestamp, Usd } from './words.ts'

/** A posting offers work that no paid endpoint does (`service_offer`), or asks for something to buy (`open_request`). */
export const PostingKind = z.enum(['service_offer', 'open_request'])
export type PostingKind = z.output<typeof PostingKind>

/** It begins unlike any slug, so that a `ref` of discovery names one thing. */
export const PostingId = z.string().regex(/^posting_[0-9a-f-]{36}$/, 'must be the id of a posting')

/** The longest that a posting is open without being renewed. */
export const MOST_POSTING_DAYS = 30

/** A token on a network in which the poster says to be paid, or to pay. */
export const PostingAsset = z.object({ network: Network, asset: Address })

/** `expired` is none that is written: it is an open posting behind its `expiresAt`. */
export const PostingStatus = z.enum(['open', 'closed', 'expired', 'taken_down'])
export type PostingStatus = z.output<typeof PostingStatus>

const common = {
  id: PostingId,
  kind: PostingKind,
  title: z.string(),
  description: z.string(),
  category: Category,
  /** What an offer costs, or what a request spends at most. */
  amountUsd: Usd,
  accepts: z.array(PostingAsset).min(1),
  /** Where the poster is reached. It is never fetched here. */
  contactUrl: z.string(),
  /** The wallet that signed in, or whose agent or key posted. */
  postedBy: Address,
  /** Whether a live listing of the poster was verified by the operator. */
  hasVerifiedListing: z.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp,
}

/** What of a posting is its poster's word, and was looked at by nobody. */
export const CLAIMED_BY_POSTER = [
  'title',
  'description',
  'category',
  'amountUsd',
  'accepts',
  'contactUrl',
] as const satisfies readonly (keyof typeof common)[]

/** An open posting as everybody sees it. `claims` names the members that are its poster's word alone. */
export const Posting = z.object({ ...common, claims: z.array(z.enum(CLAIMED_BY_POSTER)) })
export type Posting = z.output<typeof Posting>

/** A posting as its owner sees it; `endedBecause` is what the operator said who took it down, or why it lost its place. */
export const PostingRecord = z.object({ ...common, status: PostingStatus, endedBecause: z.string().nullable() })
export type PostingRecord = z.output<typeof PostingRecord>

/** A posting as it is published to other services: under every version all of it. */
export const PostingSnapshot = z.object({
  ...common,
  version: z.number().int().positive(),
  status: PostingStatus.exclude(['expired']),
})
export type PostingSnapshot = z.output<typeof PostingSnapshot>

nameSchemas({ PostingKind, PostingStatus, Posting, PostingRecord })
