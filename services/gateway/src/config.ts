import { Address, LIMITS, type LimitClass, Network } from '@callboard/contract'
import { envInt, envJson, LargeRequestsBytes } from '@callboard/runtime'
import { z } from 'zod'
import { TrustedProxies } from './http/trusted-proxies.ts'

const Rate = z.object({ burst: z.number().int().min(1), perMinute: z.number().positive() })

const RateLimits = envJson(z.partialRecord(z.enum(Object.keys(LIMITS) as [LimitClass, ...LimitClass[]]), Rate))

export const Config = z.object({
  PORT: envInt(0, 65_535).default(8402).describe('The port of the public interface.'),
  HOST: z.string().default('127.0.0.1').describe('The address that the public interface listens on.'),
  BASE_URL: z.url().describe('The public base URL. Same-origin checks and links use its origin.'),
  TRUST_PROXY: TrustedProxies.optional().describe(
    'The proxies whose `X-Forwarded-For` is trusted to name the client: their number (`1`), if no client can bypass them to reach ' +
      'this port, or their addresses and networks (`10.0.0.0/8,fd00::/8`). Empty: no proxy; the connection’s address is used.',
  ),
  MAX_BODY_BYTES: envInt(1024, 16 * 1024 * 1024)
    .default(256 * 1024)
    .describe('The largest request body, in bytes.'),
  LARGE_REQUESTS_BYTES: LargeRequestsBytes,
  MAX_HEADER_BYTES: envInt(16 * 1024, 1024 * 1024)
    .default(64 * 1024)
    .describe('The largest request head, in bytes. Payment headers of smart wallets need more than Node’s 16 KiB.'),
  STAKE_CONTRACTS: envJson(z.record(Network, Address))
    .optional()
    .describe(
      'A JSON object from CAIP-2 network to stake contract, the same as for the chain-indexer. `/stake` shows the contracts to owners.',
    ),
  RATE_LIMITS: RateLimits.optional().describe(
    'A JSON object from limit class to `{burst, perMinute}`, which replaces the defaults that `npm run routes` prints.',
  ),
})
export type Config = z.output<typeof Config>
