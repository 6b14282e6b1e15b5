import type { ClaimFault } from './claim.ts'
import type { ClaimedResource } from './mirrored.ts'

/**
 * Why a resource that a source names has no row. `ours`: it is on our own host. `listed`: its provider listed it.
 * `rejected`: its provider listed it, and the operator rejected or suspended that listing.
 * `site_full`, `source_full`, `mirror_full`: a limit is reached.
 */
export type NotTaken = ClaimFault | 'ours' | 'listed' | 'rejected' | 'site_full' | 'source_full' | 'mirror_full'

/** The most rows: on one registrable domain, by one source, and in all. */
export interface MirrorLimits {
  readonly perSite: number
  readonly perSource: number
  readonly inAll: number
}

/** A resource without a row, and what may prevent one. */
export interface Candidate {
  readonly claim: ClaimedResource
  readonly site: string
  readonly isOurs: boolean
  readonly isListed: boolean
  readonly isRejected: boolean
}

/** The candidates that get a row, in order, and how many do not, by reason. */
export function withinLimits(
  candidates: readonly Candidate[],
  limits: MirrorLimits,
  held: { readonly onSites: ReadonlyMap<string, number>; readonly ofSource: number; readonly inAll: number },
): { readonly taken: ClaimedResource[]; readonly notTaken: Partial<Record<NotTaken, number>> } {
  const onSites = new Map(held.onSites)
  const taken: ClaimedResource[] = []
  const notTaken: Partial<Record<NotTaken, number>> = {}
  for (const { claim, site, isOurs, isListed, isRejected } of candidates) {
    const onSite = onSites.get(site) ?? 0
    const reasons: readonly [reason: NotTaken, applies: boolean][] = [
      ['ours', isOurs],
      ['listed', isListed],
      ['rejected', isRejected],
      ['site_full', onSite >= limits.perSite],
      ['source_full', held.ofSource + taken.length >= limits.perSource],
      ['mirror_full', held.inAll + taken.length >= limits.inAll],
    ]
    const why = reasons.find(([, applies]) => applies)?.[0]
    if (why) {
      notTaken[why] = (notTaken[why] ?? 0) + 1
      continue
    }
    onSites.set(site, onSite + 1)
    taken.push(claim)
  }
  return { taken, notTaken }
}
