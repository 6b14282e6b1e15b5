import { refuse } from '@callboard/values'
import type { Listing } from './domain/listing.ts'
import { slugCandidates, slugOf } from './domain/slug.ts'
import { claimBeside } from './domain/slug-claim.ts'
import { deleteUnlisted, findEvenWithdrawn, lockSlug } from './store/listing.repository.ts'
import { takenByMirror } from './store/mirror.repository.ts'
import type { ListingsTx } from './store/tables.ts'

/** The most slugs of one name that are tried: one per possible withdrawal. */
const MOST_TRIED = 50

/**
 * The slug of a new listing, locked until the commit: the first free one of its name, unless a listing of the same name
 * is in the way.
 * @param now milliseconds
 */
export async function claimSlug(tx: ListingsTx, claimant: Pick<Listing, 'owner' | 'name'>, now: number) {
  await lockSlug(tx, slugOf(claimant.name) ?? '')
  let tried = 0
  for (const slug of slugCandidates(claimant.name)) {
    if ((await takenByMirror(tx, [slug])).has(slug)) continue
    const holder = await findEvenWithdrawn(tx, slug)
    if (!holder) return slug
    const claimed = claimBeside(holder, claimant, now)
    if (claimed.verdict === 'taken') return refuse('slug_taken', { field: 'name', message: claimed.message })
    if (claimed.verdict === 'replace' && (await deleteUnlisted(tx, slug))) return slug
    tried += 1
    if (tried === MOST_TRIED) break
  }
  const message = 'Listings of this name were withdrawn too often. Choose another name.'
  return refuse('slug_taken', { field: 'name', message })
}

/**
 * Refuses a name for a listing that exists, whose slug stays the same: another owner's listing has that name, or was
 * withdrawn so recently that it is still reserved; undefined if the name may be taken.
 * @param now milliseconds
 */
export async function nameTaken(tx: ListingsTx, claimant: Pick<Listing, 'owner' | 'name'>, now: number) {
  await lockSlug(tx, slugOf(claimant.name) ?? '')
  for (const slug of slugCandidates(claimant.name).take(MOST_TRIED)) {
    const holder = await findEvenWithdrawn(tx, slug)
    if (!holder && !(await takenByMirror(tx, [slug])).has(slug)) return undefined
    if (!holder || holder.owner === claimant.owner) continue
    const claimed = claimBeside(holder, claimant, now)
    if (claimed.verdict === 'taken') return refuse('invalid_state', { field: 'name', message: claimed.message })
  }
  return undefined
}
