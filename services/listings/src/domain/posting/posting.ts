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

/** A posting as this service stores it. Its content is its poster's claim; who posted it, and when, is not. */
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
  /** Shown to its owner if someone else ended it: the reason. */
  readonly endedBecause: string | null
  /** Whether its owner had a verified live listing when this was last checked. */
  readonly hasVerifiedListing: boolean
  /** The network from which it was opened (`networkOf`); null if internal, and once it ended. */
  readonly postedFrom: string | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly expiresAt: number
}

/** Its status at a given time: a posting expires without any change. */
export const statusAt = ({ status, expiresAt }: Pick<Posting, 'status' | 'expiresAt'>, now: number): PostingStatus =>
  status === 'open' && expiresAt <= now ? 'expired' : status

/**
 * When a posting that is made or renewed now expires, in milliseconds.
 * @param asked RFC 3339; if absent, the longest time allowed
 */
export function openUntil(asked: string | undefined, now: number) {
  const latest = now + MOST_OPEN_MS
  if (asked === undefined) return latest
  const until = Date.parse(asked)
  if (until > now && until <= latest) return until
  const message = `Name a time between now and ${isoTime(latest)}: a posting is open for at most ${MOST_POSTING_DAYS} days, and can be renewed.`
  return refuse('invalid_request', { field: 'expiresAt', message })
}

/** A change that ends a posting; its network of origin is no longer kept. */
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

/** A posting as its owner sees it at a given time. */
export const recordOf = (posting: Posting, now: number): PostingRecord => ({
  ...common(posting),
  status: statusAt(posting, now),
  endedBecause: posting.endedBecause,
})

/** A posting as other services receive it. */
export const snapshotOf = (posting: Posting): PostingSnapshot => ({
  ...common(posting),
  version: posting.version,
  status: posting.status,
})
