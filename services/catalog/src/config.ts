import { envInt, rotates } from '@callboard/runtime'
import { z } from 'zod'

const MOST_KEYS = 4

const LinkKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .pipe(z.tuple([z.string().min(32)], z.string().min(32)).refine(({ length }) => length <= MOST_KEYS, 'at most 4 keys'))

export const Config = z.object({
  BASE_URL: z.url().describe('The public base URL; the links of the API catalog begin with it.'),
  LINK_SIGNING_KEY: rotates(LinkKeys).describe(
    'Signs page cursors and invoke links: up to four keys, comma-separated, at least 32 characters each, the same for every replica. The first signs, all are taken: a new one is added last, becomes the first once every replica has it, and the old one leaves a day after that.',
  ),
  STATS_CACHE_MS: envInt(0, 600_000)
    .default(15_000)
    .describe('For how long the sums of `/api/call/stats` are handed out again before they are counted anew.'),
  SUPPORT_REPORT_DAYS: envInt(1, 3_650).default(90).describe('After so many days a support report is deleted.'),
  SUPPORT_REPORTS_PER_DAY: envInt(1, 1_000_000)
    .default(1_000)
    .describe(
      'Support reports that are taken in one day (UTC), from all senders together; more are refused until the next.',
    ),
  DUST_USD: z
    .string()
    .regex(/^(0|[1-9][0-9]{0,8})(\.[0-9]{1,18})?$/, 'must be a decimal USD amount')
    .default('0.0001')
    .describe(
      'A call below so many USD is dust: it stands in activity and in sums of calls and volume, and counts neither as payer, payee or listing nor in concentration.',
    ),
})
export type Config = z.output<typeof Config>
