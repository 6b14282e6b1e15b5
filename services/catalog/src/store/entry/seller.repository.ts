import type { CatalogueEntry } from '@callboard/contract'
import { sql } from 'kysely'
import { fillSteps, type StepSum, type Window } from '../../domain/range.ts'
import { groupAt } from '../../domain/ranking.ts'
import { SHOWN } from '../ledger/ledger-reads.ts'
import type { CatalogDb } from '../tables.ts'

/**
 * Published listings that share a payee address with a listing, ordered by group and slug: anyone may name any payee in
 * the mirror. What either named before does not count: a mirrored endpoint could name a payee for a day, and then be paid
 * itself.
 */
export async function samePayeeAs(db: CatalogDb, slug: string, limit: number): Promise<CatalogueEntry['samePayee']> {
  const { rows } = await sql<{ ref: string; name: string; group_rank: number }>`
    select slug as ref, name, group_rank from listing
    where published and slug <> ${slug} and slug in (
      select other.slug from payee_claim own join payee_claim other using (network, address) where own.slug = ${slug})
      and exists (
        select from listing own cross join jsonb_array_elements(own.snapshot -> 'payTo') payee
        where own.slug = ${slug} and listing.snapshot -> 'payTo' @> jsonb_build_array(payee))
    order by group_rank, slug limit ${limit}`.execute(db)
  return rows.map(({ group_rank, ...row }) => ({ ...row, group: groupAt(group_rank) }))
}

/** The settled calls of a listing by the steps of a window, without shared ones. */
export async function callsOf(db: CatalogDb, slug: string, window: Window): Promise<CatalogueEntry['week']> {
  const { rows } = await sql<StepSum>`
    select date_bin(${`${window.stepMs} milliseconds`}::interval, observed_at, 'epoch'::timestamptz) as start,
           count(*) as calls, trim_scale(sum(amount_usd))::text as "volumeUsd",
           json_build_object(
             'count', count(*) filter (where patterns = 0),
             'volumeUsd', trim_scale(coalesce(sum(amount_usd) filter (where patterns = 0), 0))::text) as surviving
    from settlement
    where ${SHOWN} and kind = 'call' and slug = ${slug} and shared_with is null and observed_at >= ${window.since}
    group by 1`.execute(db)
  return fillSteps(window, rows)
}
