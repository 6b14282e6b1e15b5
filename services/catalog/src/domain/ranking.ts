import type { Conformance, Group, Liveness, Verification } from '@callboard/contract'
import { MINUTE_MS } from '@callboard/values'
import { MOST_VOLUME_RANK, type Usage } from './usage.ts'

/** The groups in the order of the directory; a group's index is its rank. */
export const GROUPS = ['svc', 'added', 'partner', 'external'] as const satisfies readonly Group[]

export const groupRank = (group: Group): number => GROUPS.indexOf(group)

export function groupAt(rank: number): Group {
  const group = GROUPS[rank]
  if (!group) throw new RangeError(`There is no group of rank ${rank}`)
  return group
}

export const MAX_TRUST = 1000
/** A review that was only asked for is its owner's word. */
const OF_VERIFICATION: Readonly<Record<Verification, number>> = { verified: 300, requested: 0, none: 0 }
const OF_UPTIME = 300
/** From this many checks on, a week's uptime counts in full; with fewer, in proportion. */
const FULL_EVIDENCE_CHECKS = 24
const OF_VERSION = 150
const OF_NO_ISSUES = 50
const OF_VOLUME = 200

export interface Evidence {
  readonly verification: Verification
  readonly liveness: Liveness
  readonly conformance: Conformance
  readonly usage: Pick<Usage, 'volumeRank'>
}

/**
 * How far a listing has proved reliable, 0 to 1000: up to 300 for the operator's verification, 300 for the week's
 * uptime, 200 for keeping to the protocol version it declares, and 200 for its revenue of 30 days from calls that show
 * no pattern of invented volume.
 */
export function trust({ verification, liveness, conformance, usage }: Evidence): number {
  const evidence = Math.min(1, liveness.checks7d / FULL_EVIDENCE_CHECKS)
  const uptime = Math.round(OF_UPTIME * liveness.uptime7d * evidence)
  const version = conformance.versionConformant ? OF_VERSION : 0
  const noIssues = conformance.versionConformant && conformance.issues.length === 0 ? OF_NO_ISSUES : 0
  const volume = (OF_VOLUME / MOST_VOLUME_RANK) * usage.volumeRank
  return OF_VERIFICATION[verification] + uptime + version + noIssues + volume
}

const FRESHNESS_BUCKET_MS = 15 * MINUTE_MS

/** The quarter hour in which an endpoint was last up, so that a probe does not reshuffle pages; 0 if never. */
export const freshness = (okAtMs: number | undefined): number =>
  okAtMs === undefined ? 0 : Math.floor(okAtMs / FRESHNESS_BUCKET_MS)
