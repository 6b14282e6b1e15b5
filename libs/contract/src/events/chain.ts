import { Hash32 } from '@callboard/x402'
import { z } from 'zod'
import { event } from '../event.ts'
import { Network, Timestamp } from '../schemas/words.ts'

/** What was observed up to this block was published before. Not every block is announced. */
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
    /** Blocks between it and the newest one that the endpoint in use had. */
    behindBlocks: z.number().int().nonnegative(),
  }),
})
