import { ChainConfig } from '@callboard/evm'
import { envInt } from '@callboard/runtime'
import { z } from 'zod'

export const Config = z.object({
  BASE_URL: z.url().describe('The public base URL. EIP-4361 messages are bound to it, and links begin with it.'),
  STAKE_URL: z
    .url()
    .optional()
    .describe('The page where an owner changes a stake. Default: `/stake` below `BASE_URL`.'),
  AUTOMATIC_LINKS_PER_HOUR: envInt(0, 1_000)
    .default(5)
    .describe('The most agents that one trusted device may link within an hour without asking the owner. 0: none.'),
  AUTOMATIC_LINKS_PER_HOUR_OF_OWNER: envInt(0, 1_000)
    .default(10)
    .describe(
      'The most agents that all trusted devices of one owner together may link within an hour without asking. 0: none.',
    ),
  ...ChainConfig.shape,
})
export type Config = z.output<typeof Config>
