import { ChainConfig } from '@callboard/evm'
import { envInt } from '@callboard/runtime'
import { DAY_MS } from '@callboard/values'
import { z } from 'zod'

export const Config = z.object({
  BASE_URL: z.url().describe('The public base URL: what EIP-4361 messages are bound to and links begin with.'),
  SUSPEND_AFTER_DOWN: envInt(0, 100_000)
    .default(0)
    .describe('A listing is suspended when one of its endpoints was down so many checks in a row. 0: never.'),
  LISTINGS_PER_OWNER: envInt(1, 100_000)
    .default(100)
    .describe('Listings that an owner may hold, drafts and suspended ones included; withdrawn ones are not counted.'),
  LISTINGS_PER_SITE: envInt(1, 1_000_000)
    .default(500)
    .describe(
      'Listings that may have an endpoint on one site, of whatever owners: a registrable domain by the public suffix list, or an address. Drafts that do not pay their own splitter yet are counted apart, up to the same number.',
    ),
  POSTINGS_PER_OWNER: envInt(1, 10_000).default(10).describe('Postings that an owner may have open.'),
  POSTINGS_PER_NETWORK: envInt(1, 100_000)
    .default(20)
    .describe(
      'Postings of owners without a verified listing that may be open from one network: an IPv4 /24, an IPv6 /48.',
    ),
  POSTINGS_IN_ALL: envInt(1, 100_000)
    .default(2_000)
    .describe(
      'Postings of owners without a verified listing that may be open in all. When there are so many, a network that has fewer takes the place of the oldest one of the network that has most.',
    ),
  REVIEW_DAYS: envInt(1, 365)
    .default(7)
    .describe(
      'A review that was asked for is due so many days after the last change of its listing; its owner is told.',
    ),
  MIRROR_SOURCES: z
    .string()
    .optional()
    .describe(
      'The YAML file of sources that resources of third parties are mirrored from (docs/mirror.md); it is read again when it changes. Empty: only those that the operator adds.',
    ),
  MIRROR_PAGE_PAUSE_MS: envInt(0, 600_000).default(1_000).describe('Time between two pages of one source.'),
  MIRROR_STALE_AFTER_MS: envInt(1_000, 30 * DAY_MS)
    .default(DAY_MS)
    .describe('A mirrored resource of which no probe read a way to pay for so long is stale, and not payable.'),
  MIRROR_KEEP_UNNAMED_MS: envInt(0, 365 * DAY_MS)
    .default(7 * DAY_MS)
    .describe('A mirrored resource that no source names any more leaves after so long.'),
  MIRROR_HOLD_MS: envInt(1_000, 365 * DAY_MS)
    .default(30 * DAY_MS)
    .describe('A mirrored resource that is suspended leaves after so long; named again, it begins anew.'),
  MIRROR_PER_SITE: envInt(1, 1_000_000)
    .default(1_000)
    .describe('Mirrored resources on one registrable domain, whatever sources name them.'),
  MIRROR_PER_SOURCE: envInt(1, 10_000_000).default(20_000).describe('Mirrored resources that one source may name.'),
  MIRROR_MAX_ROWS: envInt(1, 10_000_000).default(50_000).describe('Mirrored resources in all.'),
  ...ChainConfig.shape,
})
export type Config = z.output<typeof Config>
