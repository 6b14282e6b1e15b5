import { ChainConfig } from '@callboard/evm'
import { envBoolean, envInt } from '@callboard/runtime'
import { z } from 'zod'

export const Config = z
  .object({
    BASE_URL: z.url().describe('The public base URL: what EIP-4361 messages are bound to and links begin with.'),
    SESSION_IDLE_HOURS: envInt(1, 720).default(24).describe('A session ends after so many hours without a request.'),
    SESSION_MAX_HOURS: envInt(1, 8760)
      .default(168)
      .describe('A session ends so many hours after sign-in, used or not.'),
    API_KEYS_PER_OWNER: envInt(1, 1000).default(50).describe('Active API keys an owner may hold.'),
    ACCESS_TOKEN_SECONDS: envInt(60, 86_400)
      .default(3_600)
      .describe('An access token ends so many seconds after it was made.'),
    REFRESH_TOKEN_DAYS: envInt(1, 365)
      .default(30)
      .describe('A refresh token that is not used ends after so many days.'),
    LINK_MAX_DAYS: envInt(1, 3_650)
      .default(180)
      .describe('The tokens of a grant can be refreshed for so many days; then the owner is asked again.'),
    REFRESH_REPEAT_SECONDS: envInt(0, 300)
      .default(30)
      .describe('For so long a used refresh token is answered as when it was used, in case that answer was lost.'),
    CLIENT_UNUSED_DAYS: envInt(1, 3_650)
      .default(90)
      .describe('A registered OAuth client that is not used for so many days, and holds no tokens, is removed.'),
    CLIENT_NEVER_GRANTED_DAYS: envInt(1, 365)
      .default(7)
      .describe('An OAuth client that no owner has granted anything for so many days is removed.'),
    CLIENTS_PER_NETWORK: envInt(1, 1_000_000)
      .default(500)
      .describe('Registered OAuth clients that one network may have at a time: an IPv4 /24, an IPv6 /48.'),
    CLIENTS_IN_ALL: envInt(1, 100_000_000)
      .default(100_000)
      .describe('Registered OAuth clients that there may be at a time.'),
    INTROSPECTION_CACHE_MS: envInt(0, 300_000)
      .default(30_000)
      .describe('How long a gateway may keep an introspection; revocation ends it at once in any case.'),
    CLIENT_DOCUMENT_ALLOW_LOOPBACK: envBoolean
      .default(false)
      .describe('Devnet only: lets the metadata document of an OAuth client stand at http on this machine’s loopback.'),
    ...ChainConfig.shape,
  })
  .refine((config) => !(config.CLIENT_DOCUMENT_ALLOW_LOOPBACK && config.RPC_URLS), {
    path: ['CLIENT_DOCUMENT_ALLOW_LOOPBACK'],
    error: 'is for the devnet only and must be false where RPC_URLS is set',
  })
export type Config = z.output<typeof Config>
