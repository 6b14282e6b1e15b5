import { ChainConfig } from '@callboard/evm'
import { envBoolean, envInt } from '@callboard/runtime'
import { z } from 'zod'

export const Config = z
  .object({
    BASE_URL: z.url().describe('The public base URL. EIP-4361 messages are bound to it, and links begin with it.'),
    SESSION_IDLE_HOURS: envInt(1, 720)
      .default(24)
      .describe('The number of hours without a request after which a session ends.'),
    SESSION_MAX_HOURS: envInt(1, 8760)
      .default(168)
      .describe('The number of hours after sign-in at which a session ends, used or not.'),
    SESSIONS_PER_OWNER: envInt(1, 100_000)
      .default(1_000)
      .describe(
        'The most sessions that an owner may have. A further sign-in ends those that were used the longest ago.',
      ),
    GRANTS_PER_OWNER: envInt(1, 100_000)
      .default(1_000)
      .describe(
        'The most authorizations of OAuth clients that an owner may have. A further one ends those that were used the longest ago.',
      ),
    API_KEYS_PER_OWNER: envInt(1, 1000).default(50).describe('The most active API keys that an owner may hold.'),
    ACCESS_TOKEN_SECONDS: envInt(60, 86_400).default(3_600).describe('The lifetime of an access token, in seconds.'),
    REFRESH_TOKEN_DAYS: envInt(1, 365)
      .default(30)
      .describe('The number of days after which an unused refresh token ends.'),
    LINK_MAX_DAYS: envInt(1, 3_650)
      .default(180)
      .describe(
        'The number of days for which the tokens of a grant can be refreshed. After that, an agent’s link ends with its Router keys, and the owner is asked again.',
      ),
    REFRESH_REPEAT_SECONDS: envInt(0, 300)
      .default(30)
      .describe(
        'The number of seconds for which a used refresh token gets the same answer again, in case the first answer was lost.',
      ),
    CLIENT_UNUSED_DAYS: envInt(1, 3_650)
      .default(90)
      .describe(
        'The number of days after which a registered OAuth client that is not used and holds no tokens is removed.',
      ),
    CLIENT_NEVER_GRANTED_DAYS: envInt(1, 365)
      .default(7)
      .describe('The number of days without a grant from any owner after which an OAuth client is removed.'),
    CLIENTS_PER_NETWORK: envInt(1, 1_000_000)
      .default(500)
      .describe('The most registered OAuth clients that one network (an IPv4 /24 or an IPv6 /48) may have at a time.'),
    CLIENTS_IN_ALL: envInt(1, 100_000_000)
      .default(100_000)
      .describe('The most registered OAuth clients that may exist at a time.'),
    INTROSPECTION_CACHE_MS: envInt(0, 300_000)
      .default(30_000)
      .describe('How long a gateway may cache an introspection. Revocation always ends it at once.'),
    CLIENT_DOCUMENT_ALLOW_LOOPBACK: envBoolean
      .default(false)
      .describe(
        'Devnet only: allows the metadata document of an OAuth client to be served over http from this machine’s loopback.',
      ),
    ...ChainConfig.shape,
  })
  .refine((config) => !(config.CLIENT_DOCUMENT_ALLOW_LOOPBACK && config.RPC_URLS), {
    path: ['CLIENT_DOCUMENT_ALLOW_LOOPBACK'],
    error: 'is for the devnet only and must be false where RPC_URLS is set',
  })
export type Config = z.output<typeof Config>
