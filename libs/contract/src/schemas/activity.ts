import { z } from 'zod'
import { Address, Group, Network, Range, Timestamp, Usd } from './words.ts'

/** One settlement of the activity ledger. */
export const ActivityItem = z.object({
  txHash: z.string(),
  network: Network,
  observedAt: Timestamp,
  listing: z.object({ ref: z.string(), name: z.string(), group: Group }),
  payer: Address,
  payTo: Address,
  amountUsd: Usd,
  asset: Address,
  blockNumber: z.string(),
})
export type ActivityItem = z.output<typeof ActivityItem>

export const ActivityPage = z.object({
  range: Range,
  generatedAt: Timestamp,
  /** Newest first. */
  items: z.array(ActivityItem),
  /** Present when another page exists. */
  nextCursor: z.string().optional(),
})
export type ActivityPage = z.output<typeof ActivityPage>

/** Sums over a range: settlements, their volume, and how many wallets and listings took part. */
export const Totals = z.object({
  calls: z.number().int(),
  volumeUsd: Usd,
  payers: z.number().int(),
  payees: z.number().int(),
  listings: z.number().int(),
})

/** One step of a range: an hour of `24h`, six hours of `7d`, a day of `30d`; empty steps are there with zeros. */
export const Bucket = z.object({ start: Timestamp, calls: z.number().int(), volumeUsd: Usd })

export const Stats = z.object({
  range: Range,
  totals: Totals,
  buckets: z.array(Bucket),
  catalogue: z.object({
    listings: z.number().int(),
    verified: z.number().int(),
    endpoints: z.number().int(),
    byGroup: z.record(Group, z.number().int()),
  }),
  /** Share of all settlements made by the busiest payer, 0 to 1; 0 without settlements. */
  concentration: z.object({ topPayerTxShare: z.number().min(0).max(1) }),
})
export type Stats = z.output<typeof Stats>

export const AddressActivity = z.object({
  address: Address,
  /** On which side of the settlements the address stands within the range. */
  role: z.enum(['payer', 'recipient', 'both', 'none']),
  totals: z.object({
    paid: z.object({ calls: z.number().int(), volumeUsd: Usd }),
    received: z.object({ calls: z.number().int(), volumeUsd: Usd }),
  }),
  buckets: z.array(Bucket),
  topListings: z.array(
    z.object({ ref: z.string(), name: z.string(), group: Group, calls: z.number().int(), volumeUsd: Usd }),
  ),
  items: z.array(ActivityItem),
  nextCursor: z.string().nullable(),
})
export type AddressActivity = z.output<typeof AddressActivity>
