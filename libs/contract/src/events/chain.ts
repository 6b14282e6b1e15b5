import { Hash32 } from '@callboard/x402'
import { z } from 'zod'
import { event } from '../event.ts'
import { ObservedSplitter, ObservedSupplyChange } from '../schemas/token-events.ts'
import { Network, Timestamp } from '../schemas/words.ts'

/** Everything observed up to this block was published before this event. Not every block is announced. */
export const chainProgressed = event({
  id: 'chain.progressed',
  version: 1,
  summary: 'A chain was read up to a block',
  key: 'network',
  data: z.object({
    network: Network,
    blockNumber: z.string().regex(/^\d+$/),
    blockHash: Hash32,
    /** The block’s time. */
    blockAt: Timestamp,
    /** Blocks between this one and the newest that the endpoint in use had. */
    behindBlocks: z.number().int().nonnegative(),
  }),
})

export const splitterCreated = event({
  id: 'splitter.created',
  version: 1,
  summary: 'A fee splitter was deployed for a payout wallet',
  key: 'splitter',
  data: ObservedSplitter,
})

/** A reorganisation took the splitter's block out of the chain; it may come back in another. */
export const splitterReverted = event({
  id: 'splitter.reverted',
  version: 1,
  summary: 'A fee splitter’s block left the chain',
  key: 'splitter',
  data: ObservedSplitter,
})

export const supplyChanged = event({
  id: 'supply.changed',
  version: 1,
  summary: 'A transfer changed a token’s supply, or the locked part of it',
  key: 'txHash',
  data: ObservedSupplyChange,
})

/** A reorganisation took the transfer's block out of the chain; it may come back in another. */
export const supplyReverted = event({
  id: 'supply.reverted',
  version: 1,
  summary: 'The block of a supply change left the chain',
  key: 'txHash',
  data: ObservedSupplyChange,
})
