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

/** The named patterns of invented volume. */
export const VolumePattern = z.enum([
  'self_pay',
  'ring',
  'one_payer',
  'fresh_wallets',
  'dust',
  'facilitators_own',
  'splitter_loop',
  'burst',
])

/**
 * Why a call is set aside: it stands in the raw sums and in none of the surviving ones. A verdict is on what a wallet paid a
 * seller in a UTC week, by the calls of that week and of the one before it.
 */
export const InventedVolume = z.object({
  pattern: VolumePattern,
  /** What the rule saw, in words. */
  reason: z.string(),
  /** What would lift it. */
  lifts: z.string(),
  /** The end of the week that was judged: later calls are judged by themselves. */
  until: Timestamp,
})
export type InventedVolume = z.output<typeof InventedVolume>

/** How many settlements of a kind there were, and their volume. */
export const Subtotal = z.object({ count: z.number().int(), volumeUsd: Usd })

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
  /** Absent where nothing speaks against it, or it was not judged yet. */
  invented: z.array(InventedVolume).optional(),
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

/**
 * Sums over a range: calls, their volume, and how many wallets and listings took part. Calls below the floor of
 * `DUST_USD` count among `calls` and `volumeUsd`, and nowhere else; `dust` says how many. Transfers that are no calls are
 * in `transfers` alone. `shared` says how many of `calls` can belong to several listings; each counts once. `surviving` are the
 * calls that show no pattern of invented volume.
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
  surviving: Subtotal,
})

/** One step of a range: an hour of `24h`, six hours of `7d`, a day of `30d`; empty steps are there with zeros. Calls alone. */
export const Bucket = z.object({
  start: Timestamp,
  calls: z.number().int(),
  volumeUsd: Usd,
  /** Those of the calls that show no pattern of invented volume. */
  surviving: Subtotal,
})

/** How far a chain is read: every settlement up to this block is counted, or is on its way to be. */
export const ChainProgress = z.object({
  network: Network,
  asOfBlock: z.string(),
  /** The block’s time. */
  blockAt: Timestamp,
  /** Blocks between it and the newest one that the chain’s endpoint had then. */
  behindBlocks: z.number().int().nonnegative(),
  /** Seconds from the block’s time to this answer; on a chain that makes blocks on demand it says nothing else. */
  lagSeconds: z.number().int().nonnegative(),
})
export type ChainProgress = z.output<typeof ChainProgress>

const Side = z.object({ calls: z.number().int(), volumeUsd: Usd, transfers: Subtotal, surviving: Subtotal })

/** `pendingChanges` is counted no further. */
export const MOST_PENDING_CHANGES = 10_000

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
  /** By network; a chain of which nothing was heard yet is absent. */
  chains: z.array(ChainProgress),
  /**
   * Changes of settlements that the sums do not hold yet: 0 but for moments, and for a while after an upgrade that counts anew.
   * 10000 means that many or more.
   */
  pendingChanges: z.number().int().min(0).max(MOST_PENDING_CHANGES),
})
export type Stats = z.output<typeof Stats>

export const AddressActivity = z.object({
  address: Address,
  /** On which side of the settlements the address stands within the range. */
  role: z.enum(['payer', 'recipient', 'both', 'none']),
  totals: z.object({
    paid: Side,
    received: Side,
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
      /** Calls of its own that show no pattern of invented volume. */
      surviving: Subtotal,
    }),
  ),
  items: z.array(ActivityItem),
  nextCursor: z.string().nullable(),
})
export type AddressActivity = z.output<typeof AddressActivity>

const Spent = z.object({ calls: z.number().int(), spentUsd: Usd })

/** What a wallet called and spent, as the chain shows it: calls of listings, whoever settled them. */
export const WalletUsage = z.object({
  wallet: Address,
  generatedAt: Timestamp,
  /** Since the chains are read. */
  total: Spent,
  last24h: Spent,
  last7d: Spent,
  last30d: Spent,
  /** How many listings it called. */
  listings: z.number().int(),
  /** Payments to payees of listings that were no calls; they are in none of the sums. */
  transfers: Subtotal,
  firstCallAt: Timestamp.nullable(),
  lastCallAt: Timestamp.nullable(),
})
export type WalletUsage = z.output<typeof WalletUsage>

nameSchemas({
  WalletUsage,
  VolumePattern,
  InventedVolume,
  ChainProgress,
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
