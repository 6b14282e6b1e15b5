import { epochOf } from './day.ts'

/** What an owner had staked in one contract from a block on. */
export interface StakeBalance {
  /** The contract and its network, as one text. */
  readonly source: string
  /** The block's time. */
  readonly at: number
  /** Base units. */
  readonly stake: bigint
}

/** What counts of an owner's stake from a day on. */
export interface Counted {
  /** The number of the UTC day. */
  readonly epoch: number
  readonly stake: bigint
}

/**
 * What counts of a stake on which day: the least of what stood when the day began and of all that stood since. So an increase
 * counts from the next UTC day on and a decrease at once, and the same tokens, whoever they are moved to, count for one owner a day.
 * Days are those of the blocks. Of several contracts the sum counts.
 * @param balances of one owner, those of a source in the order of its chain; before the first the owner had none
 * @returns ascending, one for each day from which on another stake may count
 */
export function countedStakes(balances: readonly StakeBalance[]): Counted[] {
  const sources = [...Map.groupBy(balances, ({ source }) => source).values()].map(countedOfSource)
  const epochs = [...new Set(sources.flatMap((steps) => steps.map(({ epoch }) => epoch)))].toSorted((a, b) => a - b)
  return epochs.map((epoch) => ({
    epoch,
    stake: sources.reduce((sum, steps) => sum + countedOn(steps, epoch), 0n),
  }))
}

/** What counts on a day, by the steps of `countedStakes`. */
export const countedOn = (steps: readonly Counted[], epoch: number): bigint =>
  steps.findLast((step) => step.epoch <= epoch)?.stake ?? 0n

function countedOfSource(balances: readonly StakeBalance[]): Counted[] {
  const steps = new Map<number, bigint>()
  let balance = 0n
  for (const { at, stake } of balances) {
    const epoch = epochOf(at)
    // The day after begins with this stake, unless a change of that day follows.
    const counted = steps.get(epoch) ?? balance
    steps.set(epoch, counted < stake ? counted : stake)
    steps.set(epoch + 1, stake)
    balance = stake
  }
  return [...steps].map(([epoch, stake]) => ({ epoch, stake })).toSorted((a, b) => a.epoch - b.epoch)
}
