import { envInt, rotates } from '@callboard/runtime'
import { z } from 'zod'

const MOST_KEYS = 4

const LinkKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .pipe(z.tuple([z.string().min(32)], z.string().min(32)).refine(({ length }) => length <= MOST_KEYS, 'at most 4 keys'))

export const Config = z.object({
  BASE_URL: z.url().describe('The public base URL. The links of the API catalog begin with it.'),
  LINK_SIGNING_KEY: rotates(LinkKeys).describe(
    'The keys that sign page cursors and invoke links: up to four, comma-separated, at least 32 characters each, the same for every replica. The first key signs; signatures of all keys are accepted. To rotate, add the new key last, move it to the front once every replica has it, and remove the old key a day after that.',
  ),
  STATS_CACHE_MS: envInt(0, 600_000)
    .default(15_000)
    .describe('How long the totals of `/api/call/stats` are cached before they are counted again.'),
  SUPPORT_REPORT_DAYS: envInt(1, 3_650)
    .default(90)
    .describe('The number of days after which a support report is deleted.'),
  SUPPORT_REPORTS_PER_DAY: envInt(1, 1_000_000)
    .default(1_000)
    .describe(
      'The most support reports that are accepted in one day (UTC), over all senders. Further ones are refused until the next day.',
    ),
  DUST_USD: z
    .string()
    .regex(/^(0|[1-9][0-9]{0,8})(\.[0-9]{1,18})?$/, 'must be a decimal USD amount')
    .default('0.0001')
    .describe(
      'A call below this amount in USD is dust: it appears in activity and in totals of calls and volume, but does not count towards payers, payees, listings or concentration.',
    ),
})
export type Config = z.output<typeof Config>
