import { type RawBuilder, sql } from 'kysely'
import { ownerLimitOn } from './compute.repository.ts'
import type { RouterKey } from './key.repository.ts'

/**
 * What bounds a call: for compute the owner's, the link's and the key's day, for a balance the balance and the key's day, and
 * for a key of Compute that draws on a balance what its own calls paid into it.
 */
export type Level = 'owner' | 'link' | 'key' | 'balance' | 'paid_in'

export interface LevelsQuestion {
  /** SHA-256 of the key's secret. */
  readonly keyHash: Uint8Array
  /** What an owner who never staked may spend a day; nano-USD. */
  readonly ownerLimit: bigint
  /** The UTC day, YYYY-MM-DD. */
  readonly day: string
  /** Whether a key of Compute is asked for what its calls paid into its owner's balance. */
  readonly fromPaidIn?: boolean
}

/**
 * The tables `live_key` (one row or none), `today` (`day`) and `levels` of a `with`: what a key's calls are bounded by, with
 * limit, spent and held in nano-USD; no limit is null.
 * A link without a budget has the limit 0, a key without one has none; an owner without a balance bought nothing. A day that is
 * over counts as nothing spent, and a clock that is behind does not bring it back: `today` is the latest day that a budget has.
 * `wanted` is materialized: of a union that is part of the locking query itself, Postgres loses the rows that it waited for.
 * @param locking takes the rows for the statement's transaction, always in the order key, balance, owner, link, key's budget,
 *   so that two calls do not wait for each other for ever; a row that was waited for is read as it stands then
 */
export const levelsOf = (
  { keyHash, ownerLimit, day, fromPaidIn = false }: LevelsQuestion,
  locking: boolean,
): RawBuilder<unknown> => sql`
  live_key as (
    select id, prefix, owner, link_id, case when ${fromPaidIn} then 'balance' else source end as source, label, created_at,
           last_used_at, under_way, paid_in_nano, paid_in_spent_nano, paid_in_held_nano
    from router_key where hash = ${keyHash} and ended_at is null ${lock(locking, 'router_key')}
  ), wanted as materialized (
    select 2 as place, 'owner' as level, 'owner:' || owner as subject from live_key where source = 'compute'
    union all
    select 3, 'link', 'link:' || link_id from live_key where source = 'compute' and link_id is not null
    union all
    select 4, 'key', 'key:' || id from live_key
  ), fund as (
    select balance.purchased_nano, balance.spent_nano, balance.held_nano
    from live_key join balance on balance.owner = live_key.owner
    where live_key.source = 'balance' ${lock(locking, 'balance')}
  ), stored as (
    select budget.subject, budget.limit_nano, budget.day, budget.spent_nano, budget.held_nano
    from wanted join budget on budget.subject = wanted.subject
    where (select count(*) from fund) >= 0
    order by wanted.place ${lock(locking, 'budget')}
  ), today as (
    select greatest(${day}::date, max(day)) as day from stored
  ), levels as (
    select wanted.place, wanted.level, wanted.subject, stored.subject is not null as is_stored,
           case when wanted.level = 'owner' then ${ownerLimitOn(sql`(select owner from live_key)`, sql`today.day`, ownerLimit)}
                when wanted.level = 'link' and stored.subject is null then 0
                else stored.limit_nano end as limit_nano,
           case when stored.day = today.day then stored.spent_nano else 0 end as spent_nano,
           case when stored.day = today.day then stored.held_nano else 0 end as held_nano
    from wanted cross join today left join stored on stored.subject = wanted.subject
    union all
    select 1, 'balance', null, true, coalesce(fund.purchased_nano, 0), coalesce(fund.spent_nano, 0),
           coalesce(fund.held_nano, 0)
    from live_key left join fund on true where live_key.source = 'balance'
    union all
    select 5, 'paid_in', null, true, paid_in_nano, paid_in_spent_nano, paid_in_held_nano from live_key where ${fromPaidIn}
  )`

const lock = (locking: boolean, table: string) => (locking ? sql`for no key update of ${sql.table(table)}` : sql``)

/** The columns of a key and of one of its levels, from `live_key` and `levels`. */
export const LEVEL_COLUMNS = sql`
  live_key.id, live_key.prefix, live_key.owner, live_key.link_id as "linkId", live_key.source, live_key.label,
  live_key.created_at as "createdAt", live_key.last_used_at as "lastUsedAt",
  levels.level, levels.limit_nano::text as limit, levels.spent_nano::text as spent, levels.held_nano::text as held`

export interface LevelRow extends RouterKey {
  readonly level: Level
  readonly limit: string | null
  readonly spent: string
  readonly held: string
}

/** A level with a limit. */
export interface Bound {
  readonly level: Level
  /** What a further call may cost at most; never below zero, which a limit that was lowered would make it. */
  readonly left: bigint
  /** Held by calls in flight. */
  readonly inFlight: bigint
}

/** The levels that have a limit, in the order in which they are locked. */
export const boundsOf = (rows: readonly LevelRow[]): Bound[] =>
  rows.flatMap(({ level, limit, spent, held }) => {
    if (limit === null) return []
    const left = BigInt(limit) - BigInt(spent) - BigInt(held)
    return [{ level, left: left < 0n ? 0n : left, inFlight: BigInt(held) }]
  })

/** The key that the rows are about. */
export const keyOf = ({ id, prefix, owner, linkId, source, label, createdAt, lastUsedAt }: LevelRow): RouterKey => ({
  ...{ id, prefix, owner, linkId, source, label, createdAt, lastUsedAt },
})
