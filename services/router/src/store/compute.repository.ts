import type { Address } from '@callboard/values'
import { sql } from 'kysely'
import type { RouterDb, RouterTx } from './tables.ts'

/** How much of an owner's stake counts from a day on, and the daily limit that results. */
export interface ComputeDay {
  /** YYYY-MM-DD, UTC. */
  readonly day: string
  /** Base units. */
  readonly stake: bigint
  /** Nano-USD. */
  readonly limit: bigint
}

/** Replaces an owner's days from a given one on. */
export async function replaceDays(
  tx: RouterTx,
  owner: Address,
  { from, rule, days }: { readonly from: string; readonly rule: string; readonly days: readonly ComputeDay[] },
): Promise<void> {
  await sql`delete from compute_day where owner = ${owner} and day >= ${from}::date`.execute(tx)
  for (const { day, stake, limit } of days)
    await sql`
      insert into compute_day (owner, day, stake, limit_nano, rule)
      values (${owner}, ${day}::date, ${stake.toString()}::numeric, ${limit}, ${rule})`.execute(tx)
}

/** Some of the owners' days whose limit was made by another rule. */
export async function daysOfOtherRules(
  db: RouterDb,
  rule: string,
  limit: number,
): Promise<{ owner: Address; day: string; stake: bigint }[]> {
  const { rows } = await sql<{ owner: Address; day: string; stake: string }>`
    select owner, day::text as day, stake::text as stake from compute_day where rule <> ${rule} limit ${limit}`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, stake: BigInt(row.stake) }))
}

/** Sets a day's limit, if the stake from which it was computed is unchanged. */
export const priceDay = (db: RouterDb, owner: Address, { day, stake, limit }: ComputeDay, rule: string) =>
  sql`
    update compute_day set limit_nano = ${limit}, rule = ${rule}
    where owner = ${owner} and day = ${day}::date and stake = ${stake.toString()}::numeric`.execute(db)

/**
 * An owner's limit on a day, nano-USD, as an SQL expression.
 * @param otherwise the limit of an owner who never staked
 */
export const ownerLimitOn = (
  owner: ReturnType<typeof sql>,
  day: ReturnType<typeof sql>,
  otherwise: bigint,
) => sql<string>`
  coalesce((select compute_day.limit_nano from compute_day
            where compute_day.owner = ${owner} and compute_day.day <= ${day}
            order by compute_day.day desc limit 1), ${otherwise}::bigint)`

/** An owner's Compute, nano-USD, and its stake, base units. */
export interface OwnerCompute {
  /** For the requested day. */
  readonly limit: bigint
  /** For the day after, with the present stake. */
  readonly next: bigint
  /** The whole stake, including what does not count yet. */
  readonly stake: bigint
}

export async function computeOf(db: RouterDb, owner: Address, day: string, otherwise: bigint): Promise<OwnerCompute> {
  const limitOn = (date: ReturnType<typeof sql>) => ownerLimitOn(sql`${owner}`, date, otherwise)
  const { rows } = await sql<Record<keyof OwnerCompute, string>>`
    select ${limitOn(sql`${day}::date`)}::text as limit, ${limitOn(sql`${day}::date + 1`)}::text as next,
           coalesce((select stake from compute_day where owner = ${owner} order by day desc limit 1), 0)::text as stake`.execute(
    db,
  )
  const [row] = rows
  return {
    limit: BigInt(row?.limit ?? otherwise),
    next: BigInt(row?.next ?? otherwise),
    stake: BigInt(row?.stake ?? 0),
  }
}
