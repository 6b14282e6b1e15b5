import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { Address, Group, Network, Range, Timestamp, Usd } from './words.ts'

/** What a settlement is: payment of a price that a listing asked at that time, or some other transfer to its payee. */
export const SettlementKind = z.enum(['call', 'transfer'])
export type SettlementKind = z.output<typeof SettlementKind>

/**
 * A settlement may belong to any of `among` listings of its payee, of which `listing` is only the first: they asked the
 * same price, and no known resource distinguishes them. It counts once. `refs` are the others, at most ten.
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
 * Why a call is set aside: it counts in the raw sums and in no surviving ones. A verdict covers what a wallet paid a
 * seller in a UTC week, judged by the calls of that week and the one before.
 */
export const InventedVolume = z.object({
  pattern: VolumePattern,
  /** What the rule found, in words. */
  reason: z.string(),
  /** What would lift the verdict. */
  lifts: z.string(),
  /** The end of the judged week; later calls are judged separately. */
  until: Timestamp,
})
export type InventedVolume = z.output<typeof InventedVolume>

/** Number and volume of the settlements of one kind. */
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
  /** Absent where the called listing is certain. */
  shared: SharedAmong.optional(),
  /** Absent where nothing speaks against it, or it has not been judged yet. */
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
 * `DUST_USD` count only in `calls` and `volumeUsd`; `dust` is their number. Transfers that are not calls are only in
 * `transfers`. `shared` says how many of `calls` may belong to several listings; each counts once. `surviving` are the
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

/** One step of a range: an hour of `24h`, six hours of `7d`, a day of `30d`; empty steps are zeros. Calls only. */
export const Bucket = z.object({
  start: Timestamp,
  calls: z.number().int(),
  volumeUsd: Usd,
  /** Calls of this step that show no pattern of invented volume. */
  surviving: Subtotal,
})

/** How far a chain has been read: every settlement up to this block is counted or about to be. */
export const ChainProgress = z.object({
  network: Network,
  asOfBlock: z.string(),
  /** The block’s time. */
  blockAt: Timestamp,
  /** Blocks between it and the newest one that the chain’s endpoint then had. */
  behindBlocks: z.number().int().nonnegative(),
  /** Seconds from the block’s time to this answer; on a chain that makes blocks on demand it means nothing more. */
  lagSeconds: z.number().int().nonnegative(),
})
export type ChainProgress = z.output<typeof ChainProgress>

const Side = z.object({ calls: z.number().int(), volumeUsd: Usd, transfers: Subtotal, surviving: Subtotal })

/** Counting of `pendingChanges` stops here. */
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
  /** By network; a chain with no data yet is absent. */
  chains: z.array(ChainProgress),
  /**
   * Changes of settlements that the sums do not include yet: 0 except for moments, and for a while after an upgrade
   * that recounts. 10000 means that many or more.
   */
  pendingChanges: z.number().int().min(0).max(MOST_PENDING_CHANGES),
})
export type Stats = z.output<typeof Stats>

export const AddressActivity = z.object({
  address: Address,
  /** The address's side of the settlements within the range. */
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
      /** Calls of this listing alone; shared ones are only in `shared`, at each listing that shares them. */
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

/** What a wallet called and spent, as the chain shows it: calls of listings, regardless of who settled them. */
export const WalletUsage = z.object({
  wallet: Address,
  generatedAt: Timestamp,
  /** Since we began reading the chains. */
  total: Spent,
  last24h: Spent,
  last7d: Spent,
  last30d: Spent,
  /** How many listings it called. */
  listings: z.number().int(),
  /** Payments to listings' payees that were not calls; excluded from every sum. */
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
