import { ChainConfig } from '@callboard/evm'
import { envInt } from '@callboard/runtime'
import { z } from 'zod'

export const Config = z.object({
  BASE_URL: z.url().describe('The public base URL: what EIP-4361 messages are bound to and links begin with.'),
  SESSION_IDLE_HOURS: envInt(1, 720).default(24).describe('A session ends after so many hours without a request.'),
  SESSION_MAX_HOURS: envInt(1, 8760).default(168).describe('A session ends so many hours after sign-in, used or not.'),
  API_KEYS_PER_OWNER: envInt(1, 1000).default(50).describe('Active API keys an owner may hold.'),
  INTROSPECTION_CACHE_MS: envInt(0, 300_000)
    .default(30_000)
    .describe('How long a gateway may keep an introspection; revocation ends it at once in any case.'),
  ...ChainConfig.shape,
})
export type Config = z.output<typeof Config>
