import type { AddressActivity } from '@callboard/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { fillSteps, type StepSum, type Window } from '../domain/range.ts'
import { groupAt } from '../domain/ranking.ts'
import { SHOWN } from './ledger/ledger-reads.ts'
import type { CatalogTx } from './tables.ts'

export type AddressSums = Pick<AddressActivity, 'totals' | 'buckets' | 'topListings'>
type Subtotal = StepSum['surviving']

interface TopListing extends Pick<AddressActivity['topListings'][number], 'ref' | 'name' | 'calls' | 'volumeUsd'> {
  group_rank: number
  shared: Subtotal
  surviving: Subtotal
}

interface SumsRow {
  totals: AddressActivity['totals']
  steps: (Omit<StepSum, 'start'> & { startMs: number })[]
  listings: TopListing[]
}

const TOP_LISTINGS = 10

const IS_CALL = 'is_call'
const SURVIVES = 'is_call and survives'
const IS_SHARED = 'shared_with is not null'
const IS_OWN = 'shared_with is null'

/** How many settlements the parts for which a condition holds have. */
const count = (condition: string) => sql.raw(`coalesce(sum(number) filter (where ${condition}), 0)`)
/** Their exact sum in USD as decimal text without trailing zeros, "0" if there are none. */
const volume = (condition: string) => sql.raw(`trim_scale(coalesce(sum(volume) filter (where ${condition}), 0))::text`)
const subtotal = (condition: string) =>
  sql`json_build_object('count', ${count(condition)}, 'volumeUsd', ${volume(condition)})`

const side = (isOfSide: 'paid' | 'received') => sql`json_build_object(
  'calls', ${count(`${isOfSide} and ${IS_CALL}`)}, 'volumeUsd', ${volume(`${isOfSide} and ${IS_CALL}`)},
  'transfers', ${subtotal(`${isOfSide} and not ${IS_CALL}`)}, 'surviving', ${subtotal(`${isOfSide} and ${SURVIVES}`)})`

/**
 * What an address paid and received in a window, the sums of its calls by the steps of the window, and the listings of
 * its calls by volume, largest first, including shared calls. A shared call is in the row of each listing that shares
 * it, apart from the listing's own.
 *
 * The settlements of the address are read once, into parts that all three results sum up.
 */
export async function addressSums(tx: CatalogTx, window: Window, address: string): Promise<AddressSums> {
  // The planner expects a part per settlement, and would sort them all on disk; in fact parts are few.
  await sql`set local work_mem = '32MB'`.execute(tx)
  const { rows } = await sql<SumsRow>`
    with part as materialized (${partsOf(window, address)})
    select
      (select json_build_object('paid', ${side('paid')}, 'received', ${side('received')}) from part) as totals,
      (select coalesce(json_agg(step), '[]') from (
         select (extract(epoch from start) * 1000)::bigint as "startMs", ${count(IS_CALL)} as calls,
                ${volume(IS_CALL)} as "volumeUsd", ${subtotal(SURVIVES)} as surviving
         from part group by start) step) as steps,
      (select coalesce(json_agg(top), '[]') from (
         select slug as ref, listing.name, listing.group_rank, calls, "volumeUsd", shared, surviving
         from (${topListings}) top join listing using (slug)
         order by volume desc, number desc, slug) top) as listings`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('The sums of an address are one row')
  const { totals, steps, listings } = row
  return {
    totals,
    buckets: fillSteps(
      window,
      steps.map(({ startMs, ...step }) => ({ ...step, start: new Date(startMs) })),
    ),
    topListings: listings.map(({ group_rank, shared, ...listing }) => ({
      ...listing,
      group: groupAt(group_rank),
      ...(shared.count > 0 ? { shared } : {}),
    })),
  }
}

/** The two sides that an address can be on; a payment to oneself is counted once. */
const sidesOf = (address: string): RawBuilder<SqlBool>[] => [
  sql<SqlBool>`payer = ${address}`,
  sql<SqlBool>`pay_to = ${address} and payer <> ${address}`,
]

/** The settlements of an address, grouped by everything that is reported about them. */
function partsOf({ since, stepMs, starts }: Window, address: string) {
  const last = new Date(starts.at(-1) ?? 0)
  const sides = sidesOf(address).map(
    (isOfSide) => sql`select * from settlement where ${SHOWN} and observed_at >= ${since} and ${isOfSide}`,
  )
  return sql`
    select payer = ${address} as paid, pay_to = ${address} as received, kind = 'call' as is_call,
           patterns = 0 as survives, slug, shared_with,
           least(date_bin(${`${stepMs} milliseconds`}::interval, observed_at, 'epoch'::timestamptz), ${last}) as start,
           count(*) as number, sum(amount_usd) as volume
    from (${sql.join(sides, sql` union all `)}) settlement
    group by 1, 2, 3, 4, 5, 6, 7`
}

const topListings = sql`
  select sharer as slug, sum(volume) as volume, sum(number) as number, ${count(IS_OWN)} as calls,
         ${volume(IS_OWN)} as "volumeUsd", ${subtotal(IS_SHARED)} as shared, ${subtotal(`${IS_OWN} and survives`)} as surviving
  from part cross join unnest(slug || coalesce(shared_with, '{}')) as sharer
  where is_call group by sharer order by volume desc, number desc, sharer limit ${sql.lit(TOP_LISTINGS)}`
