/** Before the first leg: the transaction itself, its fixed arguments, and the longest ERC-8021 suffix. */
const BASE_GAS = 60_000n
/** On top of a leg's own gas: 288 bytes of calldata at 16 each, its call, and the loop around it. */
const LEG_OVERHEAD = 12_000n

/** The gas of one leg in a batch. A call passes on at most 63/64 of what is left, so `legGas` needs this much. */
export const gasOfLeg = (legGas: bigint): bigint => legGas + legGas / 63n + LEG_OVERHEAD

/** The gas limit of a batch in which every leg may use up all its gas. */
export const batchGas = (legs: number, legGas: bigint): bigint => BASE_GAS + BigInt(legs) * gasOfLeg(legGas)

/** How many legs fit a gas limit; zero where it is too low for the transaction itself. */
export const legsWithin = (gas: bigint, legGas: bigint): number =>
  Math.max(0, Number((gas - BASE_GAS) / gasOfLeg(legGas)))
