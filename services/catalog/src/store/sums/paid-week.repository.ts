import { type SqlBool, sql } from 'kysely'
import { bitsOf, type EdgeVerdict } from '../../domain/truth-meter/judge.ts'
import { edgeName, type PaidEdge, type PaidWeek } from '../../domain/truth-meter/paid-edge.ts'
import type { Suspicion } from '../../domain/truth-meter/patterns.ts'
import { HURRIED_CALLS, WEEK_MS } from '../../domain/truth-meter/week.ts'
import { SHOWN } from '../ledger/ledger-reads.ts'
import type { CatalogTx } from '../tables.ts'

/** A wallet and the payee that it paid. */
export type EdgeEnds = Pick<PaidEdge, 'payer' | 'payTo'>

/** Takes the newest week that must be judged again, and the edges whose calls may have no verdict yet. */
export async function takeDoubted(tx: CatalogTx): Promise<{ week: Date; edges: EdgeEnds[] } | undefined> {
  const { rows } = await sql<EdgeEnds & { week: Date }>`
    delete from paid_dirty where week = (select max(week) from paid_dirty)
    returning week, payer, pay_to as "payTo"`.execute(tx)
  const [first] = rows
  return first && { week: first.week, edges: rows.map(({ payer, payTo }) => ({ payer, payTo })) }
}

/** The calls by which a week is judged: its own and those of the week before. */
export async function paidWeek(tx: CatalogTx, week: Date): Promise<PaidWeek> {
  const since = new Date(week.getTime() - WEEK_MS)
  const until = new Date(week.getTime() + WEEK_MS)
  const isWithin = sql<SqlBool>`slot >= ${since} and slot < ${until} and calls > 0`
  const { rows: edges } = await sql<Omit<PaidEdge, 'volume'> & { volume: string }>`
    select payer, pay_to as "payTo", sum(calls)::bigint as calls, sum(dust)::bigint as dust,
           trunc(sum(volume) * 1000000)::text as volume, count(*) as slots,
           count(distinct date_bin('1 day', slot, 'epoch')) as days,
           coalesce(sum(calls) filter (where calls >= ${HURRIED_CALLS}), 0)::bigint as hurried
    from paid_slot where ${isWithin} group by payer, pay_to order by payer, pay_to`.execute(tx)
  const { rows: behind } = await sql<{ address: string; wallet: string }>`
    select address, max(wallet) as wallet from splitter where not reverted group by address`.execute(tx)
  const { rows: settling } = await sql<{ facilitator: string; payers: number }>`
    select facilitator, count(distinct payer) as payers from settled_week
    where week >= ${since} and week <= ${week} and calls > 0 group by facilitator`.execute(tx)
  return {
    edges: edges.map((edge) => ({ ...edge, volume: BigInt(edge.volume) })),
    walletBehind: new Map(behind.map(({ address, wallet }) => [address, wallet])),
    withinSellers: new Set((await withinSellers(tx, edges, since, until)).map(edgeName)),
    settlesFor: new Map(settling.map(({ facilitator, payers }) => [facilitator, payers])),
  }
}

/**
 * The edges between two addresses of one seller: all of their calls belong, unshared, to a listing that named the payer
 * as its payee too. Anyone can name a customer and its seller in one listing, but their calls are not of that listing.
 */
async function withinSellers(tx: CatalogTx, edges: readonly EdgeEnds[], since: Date, until: Date): Promise<EdgeEnds[]> {
  const { rows } = await sql<{ address: string; slugs: string[] }>`
    select address, array_agg(slug) as slugs from payee_claim group by address`.execute(tx)
  const listingsAt = new Map(rows.map(({ address, slugs }) => [address, new Set(slugs)]))
  const both = edges.filter(({ payer, payTo }) => {
    const [ofPayer, ofPayee] = [listingsAt.get(payer), listingsAt.get(payTo)]
    return payer !== payTo && ofPayee && ofPayer?.values().some((slug) => ofPayee.has(slug))
  })
  if (both.length === 0) return []
  const { rows: own } = await sql<EdgeEnds>`
    select settlement.payer, pay_to as "payTo" from settlement
    join ${ends(both)} on settlement.pay_to = one."payTo" and settlement.payer = one.payer
    where ${SHOWN} and kind = 'call' and observed_at >= ${since} and observed_at < ${until}
    group by settlement.payer, pay_to
    having bool_and(shared_with is null and exists (
      select from payee_claim where payee_claim.slug = settlement.slug and payee_claim.address = settlement.payer))
  `.execute(tx)
  return own
}

/** Stores the verdicts of a week. @returns the edges whose verdict changed */
export async function keepVerdicts(tx: CatalogTx, week: Date, verdicts: readonly EdgeVerdict[]): Promise<EdgeEnds[]> {
  const { rows: known } = await sql<EdgeEnds & { suspicions: Suspicion[] }>`
    select payer, pay_to as "payTo", suspicions from paid_verdict where week = ${week}`.execute(tx)
  const before = new Map(known.map((one) => [edgeName(one), one]))
  const now = new Map(verdicts.map((one) => [edgeName(one), one]))
  const gone = known.filter((one) => !now.has(edgeName(one)))
  const changed = verdicts.filter((one) => !isSame(before.get(edgeName(one))?.suspicions, one.suspicions))
  if (gone.length > 0)
    await sql`
      delete from paid_verdict using ${ends(gone)}
      where week = ${week} and paid_verdict.payer = one.payer and paid_verdict.pay_to = one."payTo"`.execute(tx)
  if (changed.length > 0)
    await sql`
      insert into paid_verdict (week, payer, pay_to, suspicions)
      select ${week}, payer, "payTo", suspicions
      from json_to_recordset(${JSON.stringify(changed)}::json) as one (payer text, "payTo" text, suspicions jsonb)
      on conflict (week, payer, pay_to) do update set suspicions = excluded.suspicions`.execute(tx)
  return [...gone, ...changed]
}

/** jsonb does not keep the order of members. */
function isSame(before: readonly Suspicion[] | undefined, now: readonly Suspicion[]): boolean {
  const plain = (all: readonly Suspicion[]) =>
    JSON.stringify(all.map(({ pattern, evidence }) => [pattern, Object.entries(evidence).toSorted()]))
  return before !== undefined && plain(before) === plain(now)
}

const ends = (edges: readonly EdgeEnds[]) => sql`
  json_to_recordset(${JSON.stringify(edges.map(({ payer, payTo }) => ({ payer, payTo })))}::json)
    as one (payer text, "payTo" text)`

/** How many edges' settlements are marked in one statement. */
const MARKED_AT_ONCE = 1_000

/** The edges of a week, and what they show. */
interface Judged {
  readonly edges: readonly EdgeEnds[]
  readonly verdicts: readonly EdgeVerdict[]
  readonly dustUsd: string
}

/**
 * Writes the verdicts onto the settlements of some edges of a week; those that do not count show no pattern. A reverted
 * one already shows none, so an edge is found by the index of valid settlements, however many others exist.
 */
export async function markSettlements(tx: CatalogTx, week: Date, { edges, verdicts, dustUsd }: Judged): Promise<void> {
  const bits = new Map(verdicts.map((verdict) => [edgeName(verdict), bitsOf(verdict)]))
  const rowOf = (edge: EdgeEnds) => ({
    ...{ payer: edge.payer, payTo: edge.payTo, all: 0, belowFloor: 0 },
    ...bits.get(edgeName(edge)),
  })
  const wanted = sql`
    case when settlement.slug is null or settlement.kind <> 'call' then 0
         when settlement.amount_usd < ${dustUsd}::numeric then one."belowFloor" else one."all" end`
  for (let from = 0; from < edges.length; from += MARKED_AT_ONCE) {
    await sql`
    update settlement set patterns = ${wanted}
    from json_to_recordset(${JSON.stringify(edges.slice(from, from + MARKED_AT_ONCE).map(rowOf))}::json)
      as one (payer text, "payTo" text, "all" integer, "belowFloor" integer)
    where settlement.payer = one.payer and settlement.pay_to = one."payTo" and not settlement.reverted
      and settlement.observed_at >= ${week} and settlement.observed_at < ${new Date(week.getTime() + WEEK_MS)}
      and settlement.patterns <> ${wanted}`.execute(tx)
  }
}
