import { ChainConfig } from '@callboard/evm'
import { envInt } from '@callboard/runtime'
import { z } from 'zod'

export const Config = z.object({
  BASE_URL: z.url().describe('The public base URL: what EIP-4361 messages are bound to and links begin with.'),
  STAKE_URL: z.url().optional().describe('Where an owner changes a stake. Default: `/stake` below `BASE_URL`.'),
  AUTOMATIC_LINKS_PER_HOUR: envInt(0, 1_000)
    .default(5)
    .describe('Agents that one trusted device may link within an hour without asking the owner; 0 for none.'),
  AUTOMATIC_LINKS_PER_HOUR_OF_OWNER: envInt(0, 1_000)
    .default(10)
    .describe('Agents that all trusted devices of one owner may link within an hour without asking; 0 for none.'),
  ...ChainConfig.shape,
})
export type Config = z.output<typeof Config>
