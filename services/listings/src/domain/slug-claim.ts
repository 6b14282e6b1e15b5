import { DAY_MS, isoTime } from '@callboard/values'
import type { Listing } from './listing.ts'
import { isAlike } from './names.ts'

/** How long the name of a withdrawn listing is kept for its owner. */
export const NAME_HELD_MS = 30 * DAY_MS

type Holder = Pick<Listing, 'slug' | 'owner' | 'name' | 'listedAt' | 'withdrawnAt'>

/** What a slug of a current or former listing means for a new listing. */
export type Claimed =
  /** It was never shown to a third party: the new listing replaces it. */
  | { readonly verdict: 'replace' }
  /** The slug is taken, but not the name: the next slug is tried. */
  | { readonly verdict: 'next' }
  | { readonly verdict: 'taken'; readonly message: string }

/**
 * Whether a new listing may have a name whose slug another listing holds. A slug that was public never goes to another
 * listing: links to it, and what it earned, stay with the original.
 * @param now milliseconds
 */
export function claimBeside(holder: Holder, claimant: Pick<Listing, 'owner' | 'name'>, now: number): Claimed {
  const { slug, withdrawnAt } = holder
  const isOwn = holder.owner === claimant.owner
  if (withdrawnAt !== null) {
    if (holder.listedAt === null) return { verdict: 'replace' }
    const free = withdrawnAt + NAME_HELD_MS
    if (isOwn || free <= now || !isAlike(holder, claimant)) return { verdict: 'next' }
    const message = `The owner of a listing named ${slug} withdrew it, and the name is reserved for them until ${isoTime(free)}. Choose another name, or come back then.`
    return { verdict: 'taken', message }
  }
  if (!isAlike(holder, claimant)) return { verdict: 'next' }
  const message = isOwn
    ? `You hold ${slug}, which has this name: PATCH changes its texts; suspend, revise and PUT its operations and category; DELETE withdraws it. Or choose another name.`
    : `Another owner’s listing ${slug} has this name. Choose another one.`
  return { verdict: 'taken', message }
}
