import { epochOf } from './day.ts'

/** What an owner had staked in one contract, from a block on. */
export interface StakeBalance {
  /** The contract and its network, in one text. */
  readonly source: string
  /** The block's time. */
  readonly at: number
  /** Base units. */
  readonly stake: bigint
}

/** How much of an owner's stake counts, from a day on. */
export interface Counted {
  /** The number of the UTC day. */
  readonly epoch: number
  readonly stake: bigint
}

/**
 * How much of a stake counts on which day: the lowest balance since the day began, its opening balance included. So an
 * increase counts from the next UTC day and a decrease at once, and tokens that change hands count for only one owner
 * per day. Days are those of the block times. Several contracts are added up.
 * @param balances of one owner, those of a source in the order of its chain; before the first the owner had none
 * @returns ascending, one for each day from which a different stake may count
 */
export function countedStakes(balances: readonly StakeBalance[]): Counted[] {
  const sources = [...Map.groupBy(balances, ({ source }) => source).values()].map(countedOfSource)
  const epochs = [...new Set(sources.flatMap((steps) => steps.map(({ epoch }) => epoch)))].toSorted((a, b) => a - b)
  return epochs.map((epoch) => ({
    epoch,
    stake: sources.reduce((sum, steps) => sum + countedOn(steps, epoch), 0n),
  }))
}

/** How much counts on a day, according to the steps of `countedStakes`. */
export const countedOn = (steps: readonly Counted[], epoch: number): bigint =>
  steps.findLast((step) => step.epoch <= epoch)?.stake ?? 0n

function countedOfSource(balances: readonly StakeBalance[]): Counted[] {
  const steps = new Map<number, bigint>()
  let balance = 0n
  for (const { at, stake } of balances) {
    const epoch = epochOf(at)
    // The next day begins with this stake, unless another change follows today.
    const counted = steps.get(epoch) ?? balance
    steps.set(epoch, counted < stake ? counted : stake)
    steps.set(epoch + 1, stake)
    balance = stake
  }
  return [...steps].map(([epoch, stake]) => ({ epoch, stake })).toSorted((a, b) => a.epoch - b.epoch)
}
