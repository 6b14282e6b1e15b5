import type { Listed, ListedSnapshot } from '../domain/listed.ts'
import { groupRank } from '../domain/ranking.ts'
import { searchText } from '../domain/search-text.ts'
import { type EndpointCheck, isPriced, standingOf } from '../domain/standing.ts'
import { placeKey } from './place-key.ts'

/** A published listing with its checks, as the tables hold them. */
export interface DirectoryRecord {
  readonly slug: string
  /** A `ListedSnapshot` as JSON. */
  readonly snapshot: string
  readonly checks: readonly EndpointCheck[]
}

/** What is shown of a listing, as JSON: a listing takes the memory of its text, and is read when it is shown. */
export interface ShownText {
  /** A `ListedSnapshot`. */
  readonly snapshot: string
  /** What its checks say. */
  readonly standing: string
}

/** A published listing as the register takes it. */
export interface IndexedListing extends ShownText {
  readonly slug: string
  /** Its `placeKey`. */
  readonly key: number
  readonly name: string
  /** All its words, beginning with those of the name. */
  readonly text: string
  /** What it is filtered by. */
  readonly labels: readonly string[]
  /** Our own, or verified. */
  readonly isVouchedFor: boolean
  /** When one of its endpoints was last up; 0 for never. */
  readonly okAtMs: number
}

/** Labels begin with a blank, so that they are no words. */
export const networkLabel = (network: string): string => ` network ${network}`
export const categoryLabel = (category: string): string => ` category ${category}`
export const VOUCHED_FOR = ' vouched for'

interface StandingText extends Omit<Listed, 'snapshot' | 'checkedAt'> {
  readonly checkedAtMs: number | null
}

export function indexedListing({ slug, snapshot, checks }: DirectoryRecord): IndexedListing {
  const listing = JSON.parse(snapshot) as ListedSnapshot
  const { distrust, staleness, okAt, checkedAt, ...rest } = standingOf(listing, checks)
  const standing: StandingText = { ...rest, checkedAtMs: checkedAt?.getTime() ?? null }
  const isVouchedFor = listing.group === 'svc' || listing.verification === 'verified'
  const networks = new Set(listing.operations.filter(isPriced).map(({ payment }) => payment.network))
  return {
    slug,
    snapshot,
    standing: JSON.stringify(standing),
    key: placeKey({ groupRank: groupRank(listing.group), distrust, staleness }),
    name: listing.name,
    text: searchText(listing),
    labels: [
      categoryLabel(listing.category),
      ...[...networks].map(networkLabel),
      ...(isVouchedFor ? [VOUCHED_FOR] : []),
    ],
    isVouchedFor,
    okAtMs: okAt?.getTime() ?? 0,
  }
}

/** The listing to be shown. */
export function listedOf({ snapshot, standing }: ShownText): Listed {
  const { checkedAtMs, ...rest } = JSON.parse(standing) as StandingText
  return { ...rest, checkedAt: checkedAtMs === null ? null : new Date(checkedAtMs), snapshot: JSON.parse(snapshot) }
}
