/** What a word of a query is worth as written, in names and anywhere else. Other forms of it are worth less. */
export const IN_NAME = 20
export const IN_TEXT = 17
export const OTHERWISE_IN_NAME = 18
export const OTHERWISE_IN_TEXT = 15

/** A share is in parts of this. */
export const WHOLE = 1_000
/** A hit with less than this part of the best hit's share is dropped. */
export const FLOOR = 0.75

/** The number of tiers by share, in addition to the tier of exact names. */
const STEPS = 32
/** The tier of a document whose name is the query. */
export const EXACT_NAME = 0
export const TIERS: number = STEPS + 2

/**
 * The weight of a word: the fewer documents have it, the higher.
 * @param having how many of `all` documents have the word
 */
export const weightOf = (having: number, all: number): number =>
  Math.max(1, Math.round(4 * Math.log2(1 + all / Math.max(1, having))))

/** The tier of a share of a query's points; 1 for all of them in the name. */
export const tierOf = (share: number): number => 1 + Math.floor(((WHOLE - share) * STEPS) / WHOLE)

/** The least share of a tier. */
export const leastShareOf = (tier: number): number =>
  tier >= TIERS - 1 ? 0 : WHOLE - Math.ceil((tier * WHOLE) / STEPS) + 1

/** The last tier that counts as a result, given the best one found. */
export function floorOf(best: number): number {
  if (best >= TIERS - 1) return TIERS - 1
  const most = best <= 1 ? WHOLE : WHOLE - ((best - 1) * WHOLE) / STEPS
  return tierOf(Math.ceil(most * FLOOR))
}
