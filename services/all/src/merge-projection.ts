import { type Kysely, sql } from 'kysely'

/** The schemas between which rows are copied, and what is kept. */
export interface Merging {
  /** The rebuilt schema. */
  readonly from: string
  /** The schema that readers see. */
  readonly into: string
  /** Columns of the table that are not written by events. */
  readonly kept: readonly string[]
}

interface Columns {
  /** Columns of the primary key. */
  readonly key: readonly string[]
  readonly rest: readonly string[]
}

/**
 * Makes a table's rows equal to those of its namesake, in the caller's transaction. Equal rows are not touched, so
 * where the table was right nothing is written, no trigger fires and no reader sees a change.
 * @returns how many rows differed
 */
export async function mergeTable<Own>(tx: Kysely<Own>, table: string, { from, into, kept }: Merging): Promise<number> {
  const { key, rest } = await columnsOf(tx, into, table, kept)
  const [made, live] = [sql.id(from, table), sql.id(into, table)]
  const list = (columns: readonly string[]) => sql.join(columns.map((column) => sql.id(column)))
  const of = (alias: string, columns: readonly string[]) =>
    sql.join(columns.map((column) => sql.ref(`${alias}.${column}`)))
  const sameKey = sql`row(${of('live', key)}) = row(${of('made', key)})`
  const gone = await sql`
    delete from ${live} live where not exists (select from ${made} made where ${sameKey})`.execute(tx)
  const all = [...key, ...rest]
  const sets = rest.map((column) => sql`${sql.id(column)} = ${sql.ref(`excluded.${column}`)}`)
  const written = await sql`
    insert into ${live} (${list(all)})
    select ${of('made', all)} from ${made} made
    where not exists (
      select from ${live} live
      where ${sameKey} and row(${of('live', all)}) is not distinct from row(${of('made', all)}))
    on conflict (${list(key)}) do ${sets.length > 0 ? sql`update set ${sql.join(sets)}` : sql`nothing`}`.execute(tx)
  return Number((gone.numAffectedRows ?? 0n) + (written.numAffectedRows ?? 0n))
}

async function columnsOf<Own>(
  tx: Kysely<Own>,
  schema: string,
  table: string,
  kept: readonly string[],
): Promise<Columns> {
  const { rows } = await sql<{ name: string; isKey: boolean }>`
    select attname as name, attnum = any(coalesce(indkey::int2[], '{}')) as "isKey"
    from pg_attribute
    left join pg_index on indrelid = attrelid and indisprimary
    where attrelid = ${`"${schema}"."${table}"`}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and atttypid <> 'xid8'::regtype
    order by attnum`.execute(tx)
  const key = rows.filter(({ isKey }) => isKey).map(({ name }) => name)
  if (key.length === 0) throw new Error(`${schema}.${table} has no primary key to tell its rows apart by.`)
  const rest = rows.filter(({ name, isKey }) => !isKey && !kept.includes(name)).map(({ name }) => name)
  return { key, rest }
}
