import { ChainConfig } from '@callboard/evm'
import { z } from 'zod'

export const Config = z.object({
  BASE_URL: z.url().describe('The public base URL: what EIP-4361 messages are bound to and links begin with.'),
  STAKE_URL: z.url().optional().describe('Where an owner changes a stake. Default: `/stake` below `BASE_URL`.'),
  ...ChainConfig.shape,
})
export type Config = z.output<typeof Config>
