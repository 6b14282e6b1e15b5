import { ChainConfig } from '@callboard/evm'
import { envInt } from '@callboard/runtime'
import { z } from 'zod'

export const Config = z.object({
  BASE_URL: z.url().describe('The public base URL: what EIP-4361 messages are bound to and links begin with.'),
  SUSPEND_AFTER_DOWN: envInt(0, 100_000)
    .default(0)
    .describe('A listing is suspended when one of its endpoints was down so many checks in a row. 0: never.'),
  ...ChainConfig.shape,
})
export type Config = z.output<typeof Config>
