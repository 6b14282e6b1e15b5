import {
  type Category,
  MOST_POSTING_DAYS,
  type PostingKind,
  type PostingRecord,
  type PostingSnapshot,
  type PostingStatus,
} from '@callboard/contract'
import { type Address, DAY_MS, isoTime, refuse } from '@callboard/values'

export const MOST_OPEN_MS = MOST_POSTING_DAYS * DAY_MS

/** A posting as this service holds it. What it says is its poster's word; who posted it, and when, is not. */
export interface Posting {
  readonly id: string
  /** Rises with every change. */
  readonly version: number
  readonly kind: PostingKind
  readonly owner: Address
  readonly title: string
  readonly description: string
  readonly category: Category
  /** Decimal USD. */
  readonly amountUsd: string
  readonly accepts: PostingSnapshot['accepts']
  readonly contactUrl: string
  readonly status: PostingSnapshot['status']
  /** What its owner reads of why another than they ended it. */
  readonly endedBecause: string | null
  /** Whether a live listing of its owner was verified, as it was last looked at. */
  readonly hasVerifiedListing: boolean
  /** The network from which it was opened (`networkOf`); null for one from inside, and for one that ended. */
  readonly postedFrom: string | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly expiresAt: number
}

/** What it is at a moment: time ends a posting without any change of it. */
export const statusAt = ({ status, expiresAt }: Pick<Posting, 'status' | 'expiresAt'>, now: number): PostingStatus =>
  status === 'open' && expiresAt <= now ? 'expired' : status

/**
 * Until when a posting is open that is made or renewed now, in milliseconds.
 * @param asked RFC 3339; absent: as long as may be
 */
export function openUntil(asked: string | undefined, now: number) {
  const latest = now + MOST_OPEN_MS
  if (asked === undefined) return latest
  const until = Date.parse(asked)
  if (until > now && until <= latest) return until
  const message = `Name a time from now to ${isoTime(latest)}: a posting is open for ${MOST_POSTING_DAYS} days at most, and can be renewed.`
  return refuse('invalid_request', { field: 'expiresAt', message })
}

/** A change that ends a posting; from where it came is kept no longer. */
export const ended = (status: 'closed' | 'taken_down', because: string | null) =>
  ({ status, endedBecause: because, postedFrom: null }) as const

const common = (posting: Posting) => ({
  id: posting.id,
  kind: posting.kind,
  title: posting.title,
  description: posting.description,
  category: posting.category,
  amountUsd: posting.amountUsd,
  accepts: [...posting.accepts],
  contactUrl: posting.contactUrl,
  postedBy: posting.owner,
  hasVerifiedListing: posting.hasVerifiedListing,
  createdAt: isoTime(posting.createdAt),
  updatedAt: isoTime(posting.updatedAt),
  expiresAt: isoTime(posting.expiresAt),
})

/** A posting as its owner sees it at a moment. */
export const recordOf = (posting: Posting, now: number): PostingRecord => ({
  ...common(posting),
  status: statusAt(posting, now),
  endedBecause: posting.endedBecause,
})

/** A posting as other services are told of it. */
export const snapshotOf = (posting: Posting): PostingSnapshot => ({
  ...common(posting),
  version: posting.version,
  status: posting.status,
})
