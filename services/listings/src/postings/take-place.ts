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
  'There were as many postings as there may be, and the network that it came from had the most of them. Post it again, or have a listing verified: then it needs none of these places.'

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
      `An owner has ${POSTINGS_PER_OWNER} open postings at most; close one that is not needed.`,
    ] as const,
    network: [
      POSTINGS_PER_NETWORK,
      `As many postings are open from your network as may be of owners without a verified listing: ${POSTINGS_PER_NETWORK}. Wait until one ends, or have a listing verified.`,
    ] as const,
    all: [
      POSTINGS_IN_ALL,
      `As many postings are open as may be of owners without a verified listing: ${POSTINGS_IN_ALL}. Wait until one ends, or have a listing verified.`,
    ] as const,
  }[place === 'displace' ? 'all' : place]
  return refuse('posting_limit', { message, details: { scope: place === 'displace' ? 'all' : place, limit } })
}
