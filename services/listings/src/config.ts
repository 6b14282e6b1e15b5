import { ChainConfig } from '@callboard/evm'
import { envInt } from '@callboard/runtime'
import { DAY_MS } from '@callboard/values'
import { z } from 'zod'

export const Config = z.object({
  BASE_URL: z.url().describe('The public base URL. EIP-4361 messages are bound to it, and links begin with it.'),
  SUSPEND_AFTER_DOWN: envInt(0, 100_000)
    .default(0)
    .describe(
      'The number of consecutive failed checks of one of its endpoints after which a listing is suspended. 0: never.',
    ),
  LISTINGS_PER_OWNER: envInt(1, 100_000)
    .default(100)
    .describe(
      'The most listings that an owner may hold, including drafts and suspended listings. Withdrawn listings do not count.',
    ),
  LISTINGS_PER_SITE: envInt(1, 1_000_000)
    .default(500)
    .describe(
      'The most listings, over all owners, that may have an endpoint on one site: a registrable domain by the public suffix list, an IPv4 address, or an IPv6 /48. Drafts that do not pay their own splitter yet are counted separately, up to the same number.',
    ),
  POSTINGS_PER_OWNER: envInt(1, 10_000).default(10).describe('The most open postings that an owner may have.'),
  POSTINGS_PER_NETWORK: envInt(1, 100_000)
    .default(20)
    .describe(
      'The most open postings from one network (an IPv4 /24 or an IPv6 /48), of owners without a verified listing.',
    ),
  POSTINGS_IN_ALL: envInt(1, 100_000)
    .default(2_000)
    .describe(
      'The most open postings in total, of owners without a verified listing. When this limit is reached, a new posting from a network with fewer postings closes the oldest posting of the network that has the most.',
    ),
  REVIEW_DAYS: envInt(1, 365)
    .default(7)
    .describe(
      'The number of days after the last change of a listing within which a requested review is due. The owner is told the date.',
    ),
  MIRROR_SOURCES: z
    .string()
    .optional()
    .describe(
      'The YAML file of sources from which third-party resources are mirrored (docs/mirror.md). It is reloaded when it changes. Empty: only sources that the operator adds.',
    ),
  MIRROR_PAGE_PAUSE_MS: envInt(0, 600_000).default(1_000).describe('The pause between two pages of one source.'),
  MIRROR_STALE_AFTER_MS: envInt(1_000, 30 * DAY_MS)
    .default(DAY_MS)
    .describe(
      'The time after which a mirrored resource is stale, and no longer payable, if no probe has read a way to pay for it.',
    ),
  MIRROR_KEEP_UNNAMED_MS: envInt(0, 365 * DAY_MS)
    .default(7 * DAY_MS)
    .describe('The time after which a mirrored resource that no source names any more is removed.'),
  MIRROR_HOLD_MS: envInt(1_000, 365 * DAY_MS)
    .default(30 * DAY_MS)
    .describe(
      'The time after which a suspended mirrored resource that no source names any more is removed. While a source names it, it waits for its review. If a source names a removed one again, it starts afresh.',
    ),
  MIRROR_PER_SITE: envInt(1, 1_000_000)
    .default(1_000)
    .describe('The most mirrored resources on one registrable domain, over all sources.'),
  MIRROR_PER_SOURCE: envInt(1, 10_000_000)
    .default(20_000)
    .describe(
      'The most mirrored resources of one source: those that it names, and those that no source names any more and are not removed yet.',
    ),
  MIRROR_MAX_ROWS: envInt(1, 10_000_000).default(50_000).describe('The most mirrored resources in total.'),
  ...ChainConfig.shape,
})
export type Config = z.output<typeof Config>
