import type { ProbeState } from '@callboard/contract'
import { DAY_MS, MINUTE_MS } from '@callboard/values'

/** Why a resource is not listed. */
export type UnlistedBecause =
  /** It was not read yet. */
  | 'not_probed'
  /** Its URL gave no readable x402 offer; `state` tells what it did instead. */
  | 'no_offer'
  /** Its own offer names no payee that was paid for it through us. */
  | 'pays_another'
  /** Its own offer gives it the name of another listed URL of the origin. */
  | 'same_resource'
  /** Its site has as many listed resources as one may have. */
  | 'site_full'
  /** It was last paid for through us too long ago to be shown. */
  | 'not_settled'

/** A resource before its newest probe. */
export interface ListingState {
  readonly isListed: boolean
  readonly unlistedBecause: UnlistedBecause | null
  /** Probes in a row that read no offer. */
  readonly failedProbes: number
}

/** What a probe found, compared with what was settled. */
export interface Met {
  readonly state: ProbeState
  /** Whether it read an offer. */
  readonly offers: boolean
  /** Whether that offer can be paid on terms that were settled through us: network, asset and payee. */
  readonly isSettled: boolean
  /** Whether another URL is listed under the same name. */
  readonly isTaken: boolean
  /** Whether its site has as many other listed resources as one may have. */
  readonly isFull: boolean
}

/** A resource with no settlement in this time is neither shown nor probed. */
export const KEPT_MS = 30 * DAY_MS

/** States that may pass: a listed resource stays listed until the third such probe in a row. */
const PASSING: ReadonlySet<ProbeState> = new Set(['timeout', 'unreachable', 'server_error', 'dns', 'tls'])
const FAILURES_TO_UNLIST = 3
/** When a resource with a passing failure is probed again without a further settlement. */
const RETRIES_MS = [MINUTE_MS, 10 * MINUTE_MS]

/** The state of a resource after a probe. */
export function afterProbe(seen: ListingState, { state, offers, isSettled, isTaken, isFull }: Met): ListingState {
  const listed = { isListed: true, unlistedBecause: null, failedProbes: 0 }
  const unlisted = (unlistedBecause: UnlistedBecause, failedProbes: number) => ({
    isListed: false,
    unlistedBecause,
    failedProbes,
  })
  if (offers) {
    if (!isSettled) return unlisted('pays_another', 0)
    if (isTaken) return unlisted('same_resource', 0)
    return isFull && !seen.isListed ? unlisted('site_full', 0) : listed
  }
  if (state === 'rate_limited' && seen.isListed) return seen
  const failedProbes = seen.failedProbes + 1
  if (seen.isListed && PASSING.has(state) && failedProbes < FAILURES_TO_UNLIST) return { ...seen, failedProbes }
  return unlisted('no_offer', failedProbes)
}

/**
 * When a resource is probed again: at the regular interval while listed, soon after a passing failure, and otherwise
 * only once it is paid for again.
 */
export function nextDue(listing: ListingState, state: ProbeState, now: number, intervalMs: number): number | null {
  if (listing.isListed) return now + intervalMs
  if (!PASSING.has(state) && state !== 'rate_limited') return null
  const retryMs = RETRIES_MS[listing.failedProbes - 1]
  return retryMs === undefined ? null : now + Math.min(retryMs, intervalMs)
}
