import { LIMITS, type LimitClass } from '@callboard/contract'
import { envBoolean, envInt, envJson } from '@callboard/runtime'
import { z } from 'zod'

const Rate = z.object({ burst: z.number().int().min(1), perMinute: z.number().positive() })

const RateLimits = envJson(z.partialRecord(z.enum(Object.keys(LIMITS) as [LimitClass, ...LimitClass[]]), Rate))

export const Config = z.object({
  PORT: envInt(0, 65_535).default(8402).describe('The port of the public interface.'),
  HOST: z.string().default('127.0.0.1').describe('The address the public interface listens on.'),
  BASE_URL: z.url().describe('The public base URL; same-origin checks and links use its origin.'),
  TRUST_PROXY: envBoolean
    .default(false)
    .describe('Take the client’s address from `X-Forwarded-For`. Only behind a proxy that sets it.'),
  MAX_BODY_BYTES: envInt(1024, 16 * 1024 * 1024)
    .default(256 * 1024)
    .describe('The largest request body.'),
  MAX_HEADER_BYTES: envInt(16 * 1024, 1024 * 1024)
    .default(64 * 1024)
    .describe('The largest head of a request; payment headers of smart wallets need more than Node’s 16 KiB.'),
  RATE_LIMITS: RateLimits.optional().describe(
    'JSON of limit class to `{burst, perMinute}`, in place of the defaults printed by `npm run routes`.',
  ),
})
export type Config = z.output<typeof Config>
