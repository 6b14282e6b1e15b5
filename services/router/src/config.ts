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
  BASE_URL: z.url().describe('The public base URL: `router_base_url` is its `/v1`.'),
  ROUTER_MODELS: z
    .string()
    .optional()
    .describe(
      'The YAML file of upstreams, models and prices (docs/router.md); it is read again when it changes. Empty: no models.',
    ),
  COMPUTE_DAILY_USD: UsdText.default('0').describe(
    'Compute that each owner has a day, in USD. It is given to any wallet that signs in: leave it at 0 where wallets cost nothing.',
  ),
  COMPUTE_USD_PER_STAKED_TOKEN: UsdText.default('0').describe(
    'Compute a day for each whole token that an owner has staked, in USD. It is added to COMPUTE_DAILY_USD.',
  ),
  COMPUTE_STAKE_DECIMALS: envInt(0, 36).default(18).describe('Decimals of the stake token.'),
  COMPUTE_MAX_DAILY_USD: MaxUsdText.default('1000').describe(
    'The most Compute that any owner has a day, in USD, COMPUTE_DAILY_USD included, whatever it staked; at most a million.',
  ),
  ROUTER_RECEIPT_KEY: rotates(
    z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must be an Ed25519 private key, 64 hex digits')
      .optional(),
  ).describe(
    'The Ed25519 private key that signs receipts, 64 hex digits; every replica needs the same one. A new one may take its place at any time: what signed before stays published. Empty: each process signs with a key that it makes when it starts.',
  ),
  CDP_KEY_ID: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'The id of a secret API key of the Coinbase Developer Platform, by which onramp sessions are made. Empty: this instance sells no USDC, and only the local chain has a faucet.',
    ),
  CDP_KEY_SECRET: rotates(
    z
      .string()
      .refine((text) => cdpKey(text) !== undefined, {
        error: 'must be the base64 of an Ed25519 key, 64 bytes, or a PEM of an EC key on P-256',
      })
      .optional(),
  ).describe('The secret of CDP_KEY_ID, as the platform gives it: base64 (Ed25519) or PEM (ES256).'),
  CDP_BASE_URL: z
    .url()
    .default('https://api.cdp.coinbase.com')
    .describe('Where the Coinbase Developer Platform answers.'),
  ONRAMP_TIMEOUT_MS: envInt(500, 25_000).default(10_000).describe('The longest wait for an onramp provider.'),
  ONRAMP_SESSIONS_PER_DAY: envInt(1, 10_000_000)
    .default(10_000)
    .describe('Onramp sessions of one day (UTC), of all askers together; more are refused until the next.'),
  ROUTER_KEYS_PER_OWNER: envInt(1, 1_000)
    .default(10)
    .describe('Live Router keys that an owner may make; those of linked agents are not counted.'),
  ROUTER_REQUESTS_PER_MINUTE: envInt(1, 1_000_000).default(60).describe('Model calls of one key in a minute.'),
  ROUTER_TOKENS_PER_MINUTE: envInt(1, 1_000_000_000)
    .default(100_000)
    .describe('Tokens of one key in a minute: estimated when a call comes, and corrected when it is over.'),
  ROUTER_CONCURRENCY: envInt(1, 10_000).default(10).describe('Model calls of one key that may be under way at once.'),
})
export type Config = z.output<typeof Config>
