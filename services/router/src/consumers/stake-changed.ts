import type { stakeChanged } from '@callboard/contract'
import type { RouterConsumer } from '../context.ts'
import { computeRule } from '../spending.ts'
import { recount } from '../stakes/recount.ts'
import { keepStake, lockStake } from '../store/stake.repository.ts'

/** A change stands in the chain: what counts of the owner's stake is counted anew. */
export const onStakeChanged: RouterConsumer<typeof stakeChanged> = async (change, { tx, envelope, config, clock }) => {
  await lockStake(tx, change.owner)
  await keepStake(tx, { ...change, reverted: false, sequence: envelope.sequence })
  await recount(tx, change.owner, computeRule({ config }), clock.now())
}
