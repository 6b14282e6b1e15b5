/** How a stake translates into Compute. All amounts are per UTC day, in nano-USD. */
export interface ComputeRule {
  /** What every owner gets, with or without a stake. */
  readonly base: bigint
  /** Per whole token that counts. */
  readonly perToken: bigint
  /** Decimals of the stake token. */
  readonly decimals: number
  /** The maximum per owner, base included. */
  readonly most: bigint
}

/**
 * The Compute of a day: the base plus a fixed amount per staked token, up to the maximum. Rounded down once, so a stake
 * in parts is never worth more than the whole.
 * @param stake base units that count on that day, see `countedStakes`
 */
export function computeOfStake(stake: bigint, { base, perToken, decimals, most }: ComputeRule): bigint {
  const compute = base + (stake * perToken) / 10n ** BigInt(decimals)
  return compute < most ? compute : most
}

/** A text that identifies the rule: it differs whenever a result could differ. */
export const ruleName = ({ base, perToken, decimals, most }: ComputeRule): string =>
  `${base}/${perToken}/${decimals}/${most}`
