import type { DirectoryPlace } from '../domain/places.ts'
import { MAX_TRUST } from '../domain/ranking.ts'

/** Quarter hours since 1970 stay below it for 7,600 years. */
const STALENESS_SPAN = 2 ** 28
const DISTRUST_SPAN = 2 ** 10
const GROUP_SPAN = DISTRUST_SPAN * STALENESS_SPAN

/** The part of a place that does not depend on the query; listings with equal keys are ordered by `tieBreak`. */
export type Standpoint = Pick<DirectoryPlace, 'groupRank' | 'distrust' | 'staleness'>

/** A number that rises along the order of group, distrust and staleness. */
export function placeKey({ groupRank, distrust, staleness }: Standpoint): number {
  if (distrust < 0 || distrust > MAX_TRUST) throw new RangeError(`A distrust of ${distrust} has no place`)
  const past = Math.min(STALENESS_SPAN - 1, -staleness)
  return groupRank * GROUP_SPAN + distrust * STALENESS_SPAN + (STALENESS_SPAN - 1 - past)
}

/** The key before everything in a group. */
export const groupKey = (groupRank: number): number => groupRank * GROUP_SPAN

export function standpointOf(key: number): Standpoint {
  const groupRank = Math.floor(key / GROUP_SPAN)
  const inGroup = key - groupRank * GROUP_SPAN
  const distrust = Math.floor(inGroup / STALENESS_SPAN)
  return { groupRank, distrust, staleness: inGroup - distrust * STALENESS_SPAN - (STALENESS_SPAN - 1) }
}
