/** How a stake becomes Compute. All amounts are of one UTC day and in nano-USD. */
export interface ComputeRule {
  /** What every owner has, with or without a stake. */
  readonly base: bigint
  /** For each whole token that counts. */
  readonly perToken: bigint
  /** Decimals of the stake token. */
  readonly decimals: number
  /** What no owner gets more of, the base included. */
  readonly most: bigint
}

/**
 * The Compute of a day: the base, and so much for each staked token, to the most. Rounded down once, so a stake in parts
 * is never worth more than the whole.
 * @param stake base units that count on that day, see `countedStakes`
 */
export function computeOfStake(stake: bigint, { base, perToken, decimals, most }: ComputeRule): bigint {
  const compute = base + (stake * perToken) / 10n ** BigInt(decimals)
  return compute < most ? compute : most
}

/** The rule as a text that differs when anything that it gives differs. */
export const ruleName = ({ base, perToken, decimals, most }: ComputeRule): string =>
  `${base}/${perToken}/${decimals}/${most}`
