import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { Address, Group, Network, Range, Timestamp, Usd } from './words.ts'

/** What a settlement is: the price of a call that a listing asked at that time, or some other transfer to its payee. */
export const SettlementKind = z.enum(['call', 'transfer'])
export type SettlementKind = z.output<typeof SettlementKind>

/**
 * That a settlement can belong to `among` listings of its payee, of which `listing` is only the first: they asked the same,
 * and no resource is known that would distinguish them. It counts once. `refs` are the others, ten at most.
 */
export const SharedAmong = z.object({ among: z.number().int().min(2), refs: z.array(z.string()).max(10) })
export type SharedAmong = z.output<typeof SharedAmong>

/** One settlement of the activity ledger. */
export const ActivityItem = z.object({
  kind: SettlementKind,
  txHash: z.string(),
  network: Network,
  observedAt: Timestamp,
  listing: z.object({ ref: z.string(), name: z.string(), group: Group }),
  payer: Address,
  payTo: Address,
  amountUsd: Usd,
  asset: Address,
  blockNumber: z.string(),
  /** Absent where it is known which listing was called. */
  shared: SharedAmong.optional(),
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

/** How many settlements of a kind there were, and their volume. */
export const Subtotal = z.object({ count: z.number().int(), volumeUsd: Usd })

/**
 * Sums over a range: calls, their volume, and how many wallets and listings took part. Calls below the floor of
 * `DUST_USD` count among `calls` and `volumeUsd`, and nowhere else; `dust` says how many. Transfers that are no calls are
 * in `transfers` alone. `shared` says how many of `calls` can belong to several listings; each counts once.
 */
export const Totals = z.object({
  calls: z.number().int(),
  volumeUsd: Usd,
  payers: z.number().int(),
  payees: z.number().int(),
  listings: z.number().int(),
  dust: Subtotal,
  transfers: Subtotal,
  shared: Subtotal,
})

/** One step of a range: an hour of `24h`, six hours of `7d`, a day of `30d`; empty steps are there with zeros. Calls alone. */
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
  /** Share of all calls above the floor made by the busiest payer, 0 to 1; 0 without calls. */
  concentration: z.object({ topPayerTxShare: z.number().min(0).max(1) }),
})
export type Stats = z.output<typeof Stats>

export const AddressActivity = z.object({
  address: Address,
  /** On which side of the settlements the address stands within the range. */
  role: z.enum(['payer', 'recipient', 'both', 'none']),
  totals: z.object({
    paid: z.object({ calls: z.number().int(), volumeUsd: Usd, transfers: Subtotal }),
    received: z.object({ calls: z.number().int(), volumeUsd: Usd, transfers: Subtotal }),
  }),
  buckets: z.array(Bucket),
  topListings: z.array(
    z.object({
      ref: z.string(),
      name: z.string(),
      group: Group,
      /** Calls that are this listing's; those that it shares are in `shared` alone, at each of the listings that share them. */
      calls: z.number().int(),
      volumeUsd: Usd,
      shared: Subtotal.optional(),
    }),
  ),
  items: z.array(ActivityItem),
  nextCursor: z.string().nullable(),
})
export type AddressActivity = z.output<typeof AddressActivity>

nameSchemas({
  SettlementKind,
  SharedAmong,
  ActivityItem,
  ActivityPage,
  Subtotal,
  Totals,
  Bucket,
  Stats,
  AddressActivity,
})
