import { type Kysely, sql } from 'kysely'

/**
 * What windows of time are read from without reading every call: the calls of each payer by day, and the number of
 * those who last took part in each hour. Triggers on the sums behind them maintain them, even if the previous release
 * adds up; if someone loses a call or its last one, they change as those sums do.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payer_day (
      payer text collate "C", day timestamptz, above bigint not null, primary key (payer, day)
    )`.execute(db)
  await sql`create index payer_day_by_calls on payer_day (day, above desc) include (payer)`.execute(db)
  await sql`
    create table last_hour (role text, hour timestamptz, parts bigint not null, primary key (role, hour))`.execute(db)
  await keep(
    db,
    'payer_hour',
    'payer_day',
    'above',
    (rows, sign) =>
      sql`select payer, date_bin('1 day', hour, 'epoch'::timestamptz), ${sql.raw(sign)} above from ${sql.raw(rows)}`,
  )
  await keep(
    db,
    'taking_part',
    'last_hour',
    'parts',
    (rows, sign) =>
      sql`
      select role, date_bin('1 hour', last_at, 'epoch'::timestamptz), ${sql.raw(sign)} 1 from ${sql.raw(rows)}
      where above > 0 and last_at is not null`,
  )
}

/** The rows of a source as they add to a sum, (key, time, number); `sign` is `+` or `-`. */
type Parts = (rows: string, sign: '+' | '-') => ReturnType<typeof sql>

/** Keeps `target` as the sums of `source`, from its current rows on. Its writers wait until the migration ends. */
async function keep(db: Kysely<unknown>, source: string, target: string, column: string, parts: Parts): Promise<void> {
  const into = sql.id(target)
  const add = (rows: ReturnType<typeof sql>) => sql`
    insert into ${into} as known
    select key, at, sum(number) from (${rows}) part (key, at, number) group by key, at having sum(number) <> 0
    on conflict on constraint ${sql.id(`${target}_pkey`)}
      do update set ${sql.id(column)} = known.${sql.id(column)} + excluded.${sql.id(column)}`
  const [before, after] = [parts('old_rows', '-'), parts('new_rows', '+')]
  for (const [event, seen, rows] of [
    ['insert', 'referencing new table as new_rows', after],
    ['update', 'referencing old table as old_rows new table as new_rows', sql`${before} union all ${after}`],
    ['delete', 'referencing old table as old_rows', before],
  ] as const) {
    await createTrigger(db, `${target}_${event}`, `${event} on ${source} ${seen}`, add(rows))
  }
  await createTrigger(db, `${target}_truncate`, `truncate on ${source}`, sql`delete from ${into}`)
  await add(parts(source, '+')).execute(db)
}

async function createTrigger(
  db: Kysely<unknown>,
  name: string,
  after: string,
  body: ReturnType<typeof sql>,
): Promise<void> {
  await sql`
    create function ${sql.id(name)}() returns trigger language plpgsql set search_path from current as $$
    begin
      ${body};
      return null;
    end $$`.execute(db)
  await sql`
    create trigger ${sql.id(name)} after ${sql.raw(after)} for each statement execute function ${sql.id(name)}()`.execute(
    db,
  )
}
