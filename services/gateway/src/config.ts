import { Address, LIMITS, type LimitClass, Network } from '@callboard/contract'
import { envInt, envJson, LargeRequestsBytes } from '@callboard/runtime'
import { z } from 'zod'
import { TrustedProxies } from './http/trusted-proxies.ts'

const Rate = z.object({ burst: z.number().int().min(1), perMinute: z.number().positive() })

const RateLimits = envJson(z.partialRecord(z.enum(Object.keys(LIMITS) as [LimitClass, ...LimitClass[]]), Rate))

export const Config = z.object({
  PORT: envInt(0, 65_535).default(8402).describe('The port of the public interface.'),
  HOST: z.string().default('127.0.0.1').describe('The address the public interface listens on.'),
  BASE_URL: z.url().describe('The public base URL; same-origin checks and links use its origin.'),
  TRUST_PROXY: TrustedProxies.optional().describe(
    'Whose `X-Forwarded-For` says who asks: the number of proxies in front (`1`), where no client can reach this port past ' +
      'them, or their addresses and networks (`10.0.0.0/8,fd00::/8`). Empty: no proxy; the connection’s address counts.',
  ),
  MAX_BODY_BYTES: envInt(1024, 16 * 1024 * 1024)
    .default(256 * 1024)
    .describe('The largest request body.'),
  LARGE_REQUESTS_BYTES: LargeRequestsBytes,
  MAX_HEADER_BYTES: envInt(16 * 1024, 1024 * 1024)
    .default(64 * 1024)
    .describe('The largest head of a request; payment headers of smart wallets need more than Node’s 16 KiB.'),
  STAKE_CONTRACTS: envJson(z.record(Network, Address))
    .optional()
    .describe('JSON of CAIP-2 network to stake contract, as the chain-indexer has it; `/stake` shows them to owners.'),
  RATE_LIMITS: RateLimits.optional().describe(
    'JSON of limit class to `{burst, perMinute}`, in place of the defaults printed by `npm run routes`.',
  ),
})
export type Config = z.output<typeof Config>
