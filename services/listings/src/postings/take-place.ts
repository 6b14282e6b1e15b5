import { refuse } from '@callboard/values'
import type { ListingsContext } from '../context.ts'
import { placeFor } from '../domain/posting/limits.ts'
import { ended, type Posting } from '../domain/posting/posting.ts'
import { lockLimits } from '../store/limits.repository.ts'
import { countOpen, lockOldestOfFullest } from '../store/posting.repository.ts'
import type { ListingsTx } from '../store/tables.ts'
import { changePosting } from './change-posting.ts'

/** Must be taken before any posting is locked: transactions that open one are serialized. */
export const lockPlaces = (tx: ListingsTx) => lockLimits(tx, ['postings'])

const DISPLACED =
  'The limit of open postings was reached, and the network that this posting came from had the most of them. Publish it again, or have a listing verified: your postings then do not count toward this limit.'

/**
 * Makes a place for a posting to be opened, or refuses it. The caller holds `lockPlaces`.
 * @param posting in its new state; an existing one does not count against itself
 */
export async function takePlace(
  ctx: Pick<ListingsContext, 'clock' | 'config' | 'publish'>,
  tx: ListingsTx,
  posting: Posting,
) {
  const { POSTINGS_PER_OWNER, POSTINGS_PER_NETWORK, POSTINGS_IN_ALL } = ctx.config
  const now = new Date(ctx.clock.now())
  const counts = await countOpen(tx, posting, now)
  const isFull = counts.inAll >= POSTINGS_IN_ALL && !posting.hasVerifiedListing
  const fullest = isFull ? await lockOldestOfFullest(tx, now) : undefined
  const most = { mostOfOwner: POSTINGS_PER_OWNER, mostOfNetwork: POSTINGS_PER_NETWORK, mostInAll: POSTINGS_IN_ALL }
  const place = placeFor({ ...counts, ...most, ofFullest: fullest?.count ?? 0 }, posting.hasVerifiedListing)
  if (place === 'free') return undefined
  if (place === 'displace' && fullest) {
    await changePosting(ctx, tx, fullest.oldest, ended('closed', DISPLACED))
    return undefined
  }
  const [limit, message] = {
    owner: [
      POSTINGS_PER_OWNER,
      `An owner can have at most ${POSTINGS_PER_OWNER} open postings. Close one that you do not need.`,
    ] as const,
    network: [
      POSTINGS_PER_NETWORK,
      `Your network has reached the limit of ${POSTINGS_PER_NETWORK} open postings by owners without a verified listing. Wait until one ends, or have a listing verified.`,
    ] as const,
    all: [
      POSTINGS_IN_ALL,
      `The limit of ${POSTINGS_IN_ALL} open postings by owners without a verified listing is reached. Wait until one ends, or have a listing verified.`,
    ] as const,
  }[place === 'displace' ? 'all' : place]
  return refuse('posting_limit', { message, details: { scope: place === 'displace' ? 'all' : place, limit } })
}
