/** What a word of a query is worth where it stands as it is: in names, and anywhere else. In other words, less. */
export const IN_NAME = 20
export const IN_TEXT = 17
export const OTHERWISE_IN_NAME = 18
export const OTHERWISE_IN_TEXT = 15

/** A share is of so many parts. */
export const WHOLE = 1_000
/** A hit with less than this part of the best hit's share is none. */
export const FLOOR = 0.75

/** Tiers of hits by their share, besides the tier of exact names. */
const STEPS = 32
/** The tier of a document whose name is the query. */
export const EXACT_NAME = 0
export const TIERS: number = STEPS + 2

/**
 * What a word weighs: the fewer documents have it, the more.
 * @param having how many documents have the word, of `all`
 */
export const weightOf = (having: number, all: number): number =>
  Math.max(1, Math.round(4 * Math.log2(1 + all / Math.max(1, having))))

/** The tier of a share of what a query asks for; 1 for all of it in the name. */
export const tierOf = (share: number): number => 1 + Math.floor(((WHOLE - share) * STEPS) / WHOLE)

/** The least share of a tier. */
export const leastShareOf = (tier: number): number =>
  tier >= TIERS - 1 ? 0 : WHOLE - Math.ceil((tier * WHOLE) / STEPS) + 1

/** The last tier that is a result, where a tier is the best that there is. */
export function floorOf(best: number): number {
  if (best >= TIERS - 1) return TIERS - 1
  const most = best <= 1 ? WHOLE : WHOLE - ((best - 1) * WHOLE) / STEPS
  return tierOf(Math.ceil(most * FLOOR))
}
