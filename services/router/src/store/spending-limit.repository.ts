import { sql } from 'kysely'
import { ownerLimitOn } from './compute.repository.ts'
import { type Bound, boundsOf, type LevelRow } from './levels.ts'
import type { RouterDb } from './tables.ts'

export interface LevelsQuestion {
  /** SHA-256 of the key's secret. */
  readonly keyHash: Uint8Array
  /** The daily limit of an owner who never staked; nano-USD. */
  readonly ownerLimit: bigint
  /** The UTC day, YYYY-MM-DD. */
  readonly day: string
  /** Whether the call would draw on what the calls of a Compute key paid in. */
  readonly fromPaidIn?: boolean
}

/**
 * The level that leaves a key the least to spend now, by the rules of `hold_call`; nothing is held.
 * @returns undefined for a key that is unknown or ended
 */
export async function tightestLevel(
  db: RouterDb,
  { keyHash, ownerLimit, day, fromPaidIn = false }: LevelsQuestion,
): Promise<Bound | undefined> {
  const { rows } = await sql<LevelRow>`
    with live_key as (
      select id, owner, link_id, case when ${fromPaidIn} then 'balance' else source end as source,
             paid_in_nano, paid_in_spent_nano, paid_in_held_nano
      from router_key where hash = ${keyHash} and ended_at is null
    ), wanted as (
      select 'owner' as level, 'owner:' || owner as subject from live_key where source = 'compute'
      union all
      select 'link', 'link:' || link_id from live_key where source = 'compute' and link_id is not null
      union all
      select 'key', 'key:' || id from live_key
    ), stored as (
      select subject, limit_nano, day, spent_nano, held_nano from budget where subject in (select subject from wanted)
    ), today as (
      select greatest(${day}::date, max(day)) as day from stored
    )
    select level,
           case when level = 'owner' then ${ownerLimitOn(sql`(select owner from live_key)`, sql`today.day`, ownerLimit)}
                when level = 'link' and stored.subject is null then 0
                else stored.limit_nano end::text as limit,
           case when stored.day = today.day then stored.spent_nano else 0 end::text as spent,
           case when stored.day = today.day then stored.held_nano else 0 end::text as held
    from wanted cross join today left join stored on stored.subject = wanted.subject
    union all
    select 'balance', coalesce(purchased_nano, 0)::text, coalesce(spent_nano, 0)::text, coalesce(held_nano, 0)::text
    from live_key left join balance on balance.owner = live_key.owner where source = 'balance'
    union all
    select 'paid_in', paid_in_nano::text, paid_in_spent_nano::text, paid_in_held_nano::text
    from live_key where ${fromPaidIn}`.execute(db)
  return boundsOf(rows).reduce<Bound | undefined>(
    (least, one) => (least && least.left <= one.left ? least : one),
    undefined,
  )
}
