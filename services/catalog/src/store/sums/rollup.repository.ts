import { sql } from 'kysely'
import type { CatalogDb, CatalogTx } from '../tables.ts'

/** The channel on which a commit that changes settlements is announced. */
export const settledChannel = (schema: string): string => `settled_${schema}`

/** The most notes added up in one go. */
export const FOLDED_AT_ONCE = 20_000

/**
 * Only one process adds up or judges at a time. The tables read and written are locked first, in the order used by
 * whoever truncates them.
 */
export async function lockSums(tx: CatalogTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('catalog:sums', 0))`.execute(tx)
  await sql`lock table payee_claim in access share mode`.execute(tx)
  await sql`lock table settlement in row exclusive mode`.execute(tx)
  await sql`lock table splitter in access share mode`.execute(tx)
}

/**
 * Adds recorded changes of settlements to the sums. The caller holds the lock on the sums.
 * @returns how many notes were added up; fewer than `FOLDED_AT_ONCE` if none are left
 */
export async function foldChanges(tx: CatalogTx, dustUsd: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with taken as materialized (
      delete from settlement_change
      where id = any(array(select id from settlement_change order by id limit ${FOLDED_AT_ONCE}))
      returning *, kind = 'call' as is_call, kind = 'call' and amount_usd < ${dustUsd}::numeric as is_dust,
        date_bin('7 days', observed_at, '1970-01-05T00:00:00Z') as week
    ), above as (
      select * from taken where is_call and not is_dust and not only_patterns
    ), hours as (
      insert into total_hour as known
      select date_bin('1 hour', observed_at, 'epoch'), ${added('is_call')}, ${added('is_dust')}, ${added('not is_call')},
             ${added('is_call and is_shared')}, ${added('is_call and patterns <> 0')}
      from taken group by 1
      on conflict (hour) do update set ${sums('calls', 'volume', 'dust', 'dust_volume', 'transfers', 'transfer_volume')},
        ${sums('shared', 'shared_volume', 'invented', 'invented_volume')}
    ), days as (
      insert into listing_day as known
      select slug, date_bin('1 day', observed_at, 'epoch'), ${added('true')}, ${added('patterns <> 0')}
      from taken where is_call and not is_shared group by 1, 2
      on conflict (slug, day) do update set ${sums('calls', 'volume', 'invented', 'invented_volume')}
    ), slots as (
      insert into paid_slot as known
      select payer, pay_to, date_bin('10 minutes', observed_at, 'epoch'), sum(sign), coalesce(sum(sign) filter (where is_dust), 0),
             sum(sign * amount_usd)
      from taken where is_call and not only_patterns group by 1, 2, 3
      on conflict (payer, pay_to, slot) do update set ${sums('calls', 'dust', 'volume')}
    ), payers as (
      insert into payer_hour as known
      select payer, date_bin('1 hour', observed_at, 'epoch'), sum(sign) from above group by 1, 2
      on conflict (payer, hour) do update set ${sums('above')}
    ), parts as (
      insert into taking_part as known
      select role, name, sum(sign), max(observed_at) filter (where sign > 0), bool_or(sign < 0)
      from above cross join lateral (values ('payer', payer), ('payee', pay_to), ('listing', slug)) part (role, name)
      group by 1, 2
      on conflict (role, name) do update set ${sums('above')}, stale = known.stale or excluded.stale,
        last_at = greatest(known.last_at, excluded.last_at)
    ), facilitators as (
      insert into settled_week as known
      select week, facilitator, payer, sum(sign) from taken
      where is_call and not only_patterns and facilitator is not null and facilitator <> payer group by 1, 2, 3
      on conflict (week, facilitator, payer) do update set ${sums('calls')}
    ), doubted as (
      insert into paid_dirty
      select distinct week + after.weeks, payer, pay_to
      from taken cross join (values (interval '0'), (interval '7 days')) after (weeks)
      where is_call and not only_patterns
      on conflict do nothing
    )
    select count(*) as count from taken`.execute(tx)
  await repairLastUse(tx, dustUsd)
  return rows[0]?.count ?? 0
}

/** A count and a volume of the changes, either of which may be negative. */
const added = (condition: string) =>
  sql.raw(
    `coalesce(sum(sign) filter (where ${condition}), 0), coalesce(sum(sign * amount_usd) filter (where ${condition}), 0)`,
  )

const sums = (...columns: string[]) =>
  sql.raw(columns.map((column) => `${column} = known.${column} + excluded.${column}`).join(', '))

/** A participant that lost a call may have lost its last one: that is looked up, since it cannot be subtracted. */
async function repairLastUse(tx: CatalogTx, dustUsd: string): Promise<void> {
  for (const [role, column] of [
    ['payer', 'payer'],
    ['payee', 'pay_to'],
    ['listing', 'slug'],
  ] as const) {
    await sql`
      update taking_part set stale = false, last_at = (
        select max(observed_at) from settlement
        where ${sql.id(column)} = taking_part.name and slug is not null and not reverted and kind = 'call'
          and amount_usd >= ${dustUsd}::numeric)
      where role = ${role} and stale`.execute(tx)
  }
}

/** How many recorded changes are not yet added up, counted up to a limit. */
export async function pendingChanges(db: CatalogDb | CatalogTx, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from settlement_change limit ${limit}) waiting`.execute(db)
  return rows[0]?.count ?? 0
}

/** Whether there is anything to add up, to judge, or to renew for usage counted since a day. */
export async function isBehind(db: CatalogDb, since: Date): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from settlement_change) or exists (select from paid_dirty) or exists (select from usage_doubt)
      or not exists (select from usage_since where day >= ${since}) as is`.execute(db)
  return rows[0]?.is ?? false
}

/** Drops all sums, and records every valid settlement again: the floor below which a call is dust has moved. */
export async function recount(tx: CatalogTx): Promise<void> {
  await sql`
    truncate settlement_change, total_hour, listing_day, paid_slot, payer_hour, taking_part, settled_week, paid_dirty`.execute(
    tx,
  )
  await sql`
    insert into settlement_change (sign, observed_at, payer, pay_to, slug, kind, is_shared, amount_usd, facilitator, patterns)
    select 1, observed_at, payer, pay_to, slug, kind, shared_with is not null, amount_usd, facilitator, patterns
    from settlement where slug is not null and not reverted`.execute(tx)
}
