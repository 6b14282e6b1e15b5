import { event } from '../event.ts'
import { ObservedBurn } from '../schemas/token-events.ts'

export const burnObserved = event({
  id: 'burn.observed',
  version: 1,
  summary: 'A burn was included in a block of a followed chain',
  key: 'txHash',
  data: ObservedBurn,
})

/** A reorganisation took the burn's block out of the chain; it may come back in another. */
export const burnReverted = event({
  id: 'burn.reverted',
  version: 1,
  summary: 'A burn’s block left the chain',
  key: 'txHash',
  data: ObservedBurn,
})
