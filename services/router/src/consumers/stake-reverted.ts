import type { stakeReverted } from '@callboard/contract'
import type { RouterConsumer } from '../context.ts'
import { computeRule } from '../spending.ts'
import { recount } from '../stakes/recount.ts'
import { keepStake, lockStake } from '../store/stake.repository.ts'

/** A change left the chain: the owner has what the changes before it say, as if it had not been. */
export const onStakeReverted: RouterConsumer<typeof stakeReverted> = async (
  change,
  { tx, envelope, config, clock },
) => {
  await lockStake(tx, change.owner)
  await keepStake(tx, { ...change, reverted: true, sequence: envelope.sequence })
  await recount(tx, change.owner, computeRule({ config }), clock.now())
}
