import { event } from '../event.ts'
import { StakeChange } from '../schemas/token-events.ts'

export const stakeChanged = event({
  id: 'stake.changed',
  version: 1,
  summary: 'The stake of an owner changed in a block of a followed chain',
  key: 'owner',
  data: StakeChange,
})

/** A reorganisation took the change's block out of the chain; it may come back in another. */
export const stakeReverted = event({
  id: 'stake.reverted',
  version: 1,
  summary: 'The block of a stake change left the chain',
  key: 'owner',
  data: StakeChange,
})
