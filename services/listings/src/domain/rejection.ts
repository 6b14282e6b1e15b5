import { resourceOf } from '@callboard/contract'
import { type Refusal, refuse } from '@callboard/values'
import type { Listing } from './listing.ts'
import { isAlike } from './names.ts'

type Compared = Pick<Listing, 'name' | 'operations'>

/**
 * The refusal of a listing that does again what the operator rejected: the same name, or an endpoint of it, by the owner or
 * for the payout wallet of the rejected one. Withdrawing that one and publishing anew is no way around the verdict.
 * @param rejected the listings of the owner or the wallet that the operator rejected
 */
export function repeatsRejected(
  listing: Compared,
  rejected: readonly (Compared & Pick<Listing, 'slug'>)[],
): Refusal<'invalid_state'> | undefined {
  for (const other of rejected) {
    const sold = new Set(other.operations.map(({ url }) => resourceOf(url)))
    const index = listing.operations.findIndex(({ url }) => sold.has(resourceOf(url)))
    const field = index === -1 ? (isAlike(listing, other) ? 'name' : undefined) : `operations.${index}.url`
    if (field === undefined) continue
    const message = `The operator rejected ${other.slug}, which has the same ${index === -1 ? 'name' : 'endpoint'}. Revise that listing and ask the operator to look at it again.`
    return refuse('invalid_state', { field, message })
  }
  return undefined
}
