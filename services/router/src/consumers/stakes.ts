import { type EventOf, eventsOf, stakeChanged, stakeReverted } from '@callboard/contract'
import type { RouterBatchConsumer } from '../context.ts'
import { computeRule } from '../spending.ts'
import { recount } from '../stakes/recount.ts'
import { keepStake, lockStakes, type SaidOfStake } from '../store/stake.repository.ts'

/**
 * Stake changes that are on the chain, or were reverted. An owner's stake is recounted once for all events of a batch
 * about that owner: a thousand changes are not a thousand times the work.
 */
export const onStakes: RouterBatchConsumer = async (events, { tx, config, clock }) => {
  const said = [
    ...eventsOf(stakeChanged, events).map((event) => saidBy(event, false)),
    ...eventsOf(stakeReverted, events).map((event) => saidBy(event, true)),
  ]
  const owners = [...new Set(said.map(({ owner }) => owner))].toSorted()
  await lockStakes(tx, owners)
  for (const one of said) await keepStake(tx, one)
  for (const owner of owners) await recount(tx, owner, computeRule({ config }), clock.now())
}

const saidBy = ({ data, sequence }: EventOf<typeof stakeChanged>, reverted: boolean): SaidOfStake => ({
  ...data,
  reverted,
  sequence,
})
