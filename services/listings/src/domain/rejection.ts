import { resourceOf } from '@callboard/contract'
import { isoTime, type Refusal, refuse } from '@callboard/values'
import type { Listing, Rejection } from './listing.ts'
import { isAlike } from './names.ts'

/** The operator's verdict in force after a further verdict. @param now milliseconds */
export function rejectionAfter(
  before: Rejection | null,
  verdict: 'verify' | 'reject' | 'suspend' | 'reopen',
  reason: string | undefined,
  now: number,
): Rejection | null {
  if (verdict === 'reject') return { kind: 'rejected', at: now, reason: reason ?? null }
  if (verdict === 'suspend') return { kind: 'suspended', at: now, reason: reason ?? null }
  return verdict === 'reopen' ? null : before
}

/** A verdict against a listing with what it sells now; what an earlier verdict was against stays part of it. */
export const againstListing = (rejection: Rejection, judged: Judged): Rejection => ({
  ...rejection,
  resources: [...soldBy(judged)],
})

type Judged = Pick<Listing, 'operations' | 'rejection'>

/** What a listing sells, and what it sold when a verdict was given that is in force. */
const soldBy = ({ operations, rejection }: Judged): ReadonlySet<string> =>
  new Set([...(rejection?.resources ?? []), ...operations.map(({ url }) => resourceOf(url))])

/** What the operator did to it, as a verb in the past tense. */
export const didTo = ({ kind }: Pick<Rejection, 'kind'>): string => (kind === 'suspended' ? 'suspended' : 'rejected')

/** The verdict in its owner's record: under the member named after it. */
export const shownRejection = (rejection: Rejection | null | undefined) => {
  const shown = rejection && { at: isoTime(rejection.at), reason: rejection.reason }
  const isSuspension = rejection?.kind === 'suspended'
  return { rejection: (!isSuspension && shown) || null, suspension: (isSuspension && shown) || null }
}

type Compared = Pick<Listing, 'name' | 'operations'>

/**
 * The refusal of a listing that repeats what the operator rejected: the same name, or one of its endpoints, by the
 * owner or for the payout wallet of the rejected one. Withdrawing and publishing again does not evade the verdict, nor
 * does replacing what the rejected one sells.
 * @param rejected the listings of the owner or the wallet that the operator rejected or suspended
 */
export function repeatsRejected(
  listing: Compared,
  rejected: readonly (Compared & Pick<Listing, 'slug' | 'rejection'>)[],
): Refusal<'invalid_state'> | undefined {
  for (const other of rejected) {
    const sold = soldBy(other)
    const index = listing.operations.findIndex(({ url }) => sold.has(resourceOf(url)))
    const field = index === -1 ? (isAlike(listing, other) ? 'name' : undefined) : `operations.${index}.url`
    if (field === undefined) continue
    const message = `The operator ${didTo(other.rejection ?? {})} ${other.slug}, which has the same ${index === -1 ? 'name' : 'endpoint'}. Revise that listing, and ask the operator to review it again.`
    return refuse('invalid_state', { field, message })
  }
  return undefined
}
