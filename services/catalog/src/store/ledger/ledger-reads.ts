import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { LedgerPlace } from '../../domain/places.ts'
import { behindPlace, NEWEST_FIRST } from './ledger-order.ts'

/** The settlements asked for: since a given time, of a listing, and not reverted. */
export interface LedgerQuestion {
  readonly since: Date
  readonly slug?: string | undefined
  /** As payer or as payee. */
  readonly address?: string | undefined
}

/** The condition of every read of the ledger, in the form that its indexes use. */
export const SHOWN = sql<SqlBool>`settlement.slug is not null and not settlement.reverted`

/** Settlements that a listing shares, but which are stored under another listing, in the form of the index of sharers. */
const sharedBy = (slug: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`shared_with is not null and cardinality(shared_with) > 0 and shared_with @> array[${slug}]`

/** Columns that have one value each, in the order of their index. */
type Held = Readonly<Partial<Record<'slug' | 'pay_to' | 'payer', unknown>>>

/**
 * The reads that together answer a question, each in the order of its own index and at most one page long. A listing's
 * payments of one payer are those to the addresses that it claimed, pair by pair; a payee of it is one of these, and all
 * others have none.
 */
export function ledgerReads(
  { since, slug, address }: LedgerQuestion,
  limit: number,
  after?: LedgerPlace,
): RawBuilder<unknown>[] {
  const read = (held: Held, ...conditions: readonly RawBuilder<SqlBool>[]) =>
    newest(held, [SHOWN, ...conditions], { since, limit, after })
  const ofPayees = (readOf: RawBuilder<unknown>) => sql`(
    select one.* from (select distinct address from payee_claim where slug = ${slug}) payee
    cross join lateral ${readOf} one)`
  const payee = sql.ref('payee.address')
  const notPayer = sql<SqlBool>`payer <> ${address}`
  if (slug === undefined) {
    return address === undefined ? [read({})] : [read({ payer: address }), read({ pay_to: address }, notPayer)]
  }
  const own = sql<SqlBool>`slug = ${slug}`
  if (address === undefined) return [read({ slug }), ofPayees(read({ pay_to: payee }, sharedBy(slug)))]
  // In a form that is looked up by the pair alone, however much the listing shares.
  const sharedInPair = sql<SqlBool>`shared_with is not null and ${slug} = any(shared_with)`
  const isClaimed = sql<SqlBool>`exists (select from payee_claim where slug = ${slug} and address = ${address})`
  return [
    ofPayees(read({ pay_to: payee, payer: address }, own)),
    ofPayees(read({ payer: address, pay_to: payee }, sharedInPair)),
    read({ slug }, sql<SqlBool>`pay_to = ${address}`, isClaimed, notPayer),
    read({ pay_to: address }, sharedBy(slug), isClaimed, notPayer),
  ]
}

/**
 * The newest rows after a place, in brackets. The values that columns have are written as bounds of rows, not as
 * equalities: with these Postgres takes the index of the whole ledger as soon as it expects many rows, and reads all of
 * it where they are older than the rest.
 */
function newest(
  held: Held,
  conditions: readonly RawBuilder<SqlBool>[],
  { since, limit, after }: { readonly since: Date; readonly limit: number; readonly after?: LedgerPlace | undefined },
): RawBuilder<unknown> {
  const columns = Object.keys(held).map((column) => sql.ref(`settlement.${column}`))
  const values = Object.values(held).map((value) => sql`${value}`)
  const row = (...parts: readonly RawBuilder<unknown>[]) => sql`(${sql.join(parts)})`
  const [from, upTo] =
    columns.length === 0
      ? [sql<SqlBool>`observed_at >= ${since}`, behindPlace(after)]
      : [
          sql<SqlBool>`${row(...columns, sql.ref('observed_at'))} >= ${row(...values, sql`${since}`)}`,
          after ? behindPlace(after, { columns, values }) : sql<SqlBool>`${row(...columns)} <= ${row(...values)}`,
        ]
  const order = [...columns.map((column) => sql`${column} desc`), NEWEST_FIRST]
  return sql`(
    select settlement.* from settlement where ${sql.join([from, upTo, ...conditions], sql` and `)}
    order by ${sql.join(order)} limit ${limit})`
}
