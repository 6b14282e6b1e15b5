import { envInt, rotates } from '@callboard/runtime'
import { z } from 'zod'

import { nanoUsdOf } from './domain/usd.ts'
import { cdpKey } from './onramp/cdp-key.ts'

const UsdText = z.string().refine(
  (text) => {
    try {
      return nanoUsdOf(text) >= 0n
    } catch {
      return false
    }
  },
  { error: 'must be a decimal USD amount' },
)

/** The highest limit of Compute: a million USD. */
const HIGHEST = nanoUsdOf('1000000')
const MaxUsdText = UsdText.refine((text) => nanoUsdOf(text) <= HIGHEST, { error: 'must be at most 1000000' })

export const Config = z.object({
  BASE_URL: z.url().describe('The public base URL. `router_base_url` is its `/v1`.'),
  ROUTER_MODELS: z
    .string()
    .optional()
    .describe(
      'The YAML file of upstreams, models and prices (docs/router.md). It is reloaded when it changes. Empty: no models.',
    ),
  COMPUTE_DAILY_USD: UsdText.default('0').describe(
    'The Compute that each owner gets per day, in USD. Any wallet that signs in gets it, so leave it at 0 where wallets cost nothing.',
  ),
  COMPUTE_USD_PER_STAKED_TOKEN: UsdText.default('0').describe(
    'The Compute per day for each whole token that an owner has staked, in USD. It is added to COMPUTE_DAILY_USD.',
  ),
  COMPUTE_STAKE_DECIMALS: envInt(0, 36).default(18).describe('The number of decimals of the stake token.'),
  COMPUTE_MAX_DAILY_USD: MaxUsdText.default('1000').describe(
    'The most Compute that an owner gets per day, in USD, including COMPUTE_DAILY_USD, whatever its stake. At most a million.',
  ),
  ROUTER_RECEIPT_KEY: rotates(
    z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must be an Ed25519 private key, 64 hex digits')
      .optional(),
  ).describe(
    'The Ed25519 private key that signs receipts, 64 hex digits. Every replica needs the same one. You can replace it at any time: earlier keys stay published. Empty: each process signs with a key that it generates when it starts.',
  ),
  CDP_KEY_ID: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'The id of a secret API key of the Coinbase Developer Platform, which creates onramp sessions. Empty: this instance sells no USDC, and only the local chain has a faucet.',
    ),
  CDP_KEY_SECRET: rotates(
    z
      .string()
      .refine((text) => cdpKey(text) !== undefined, {
        error: 'must be the base64 of an Ed25519 key, 64 bytes, or a PEM of an EC key on P-256',
      })
      .optional(),
  ).describe('The secret of CDP_KEY_ID, as the platform issues it: base64 (Ed25519) or PEM (ES256).'),
  CDP_BASE_URL: z
    .url()
    .default('https://api.cdp.coinbase.com')
    .describe('The base URL of the Coinbase Developer Platform.'),
  ONRAMP_TIMEOUT_MS: envInt(500, 25_000).default(10_000).describe('The longest wait for an onramp provider.'),
  ONRAMP_SESSIONS_PER_DAY: envInt(1, 10_000_000)
    .default(10_000)
    .describe(
      'The most onramp sessions in one day (UTC), over all clients. Further ones are refused until the next day.',
    ),
  ROUTER_KEYS_PER_OWNER: envInt(1, 1_000)
    .default(10)
    .describe('The most live Router keys that an owner may create. Keys of linked agents do not count.'),
  ROUTER_REQUESTS_PER_MINUTE: envInt(1, 1_000_000)
    .default(60)
    .describe('The most model calls that one key may make in a minute.'),
  ROUTER_TOKENS_PER_MINUTE: envInt(1, 1_000_000_000)
    .default(100_000)
    .describe(
      'The most tokens that one key may use in a minute. They are estimated when a call arrives and corrected when it ends.',
    ),
  ROUTER_CONCURRENCY: envInt(1, 10_000)
    .default(10)
    .describe('The most model calls that one key may have in progress at the same time.'),
})
export type Config = z.output<typeof Config>
