import type pg from 'pg'

/** A schema's tables, with the columns that can be written back: not the generated ones. */
async function tablesOf(client: pg.ClientBase, schema: string): Promise<{ table: string; columns: string }[]> {
  const { rows } = await client.query<{ table: string; columns: string }>(
    `select columns.table_name as table, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = $1 and table_type = 'BASE TABLE' and is_generated = 'NEVER' group by 1 order by 1`,
    [schema],
  )
  return rows
}

const copyOf = (schema: string) => `${schema}_backup`

/** Copies the rows of a schema at one moment, while its services run. */
export async function copySchema(db: pg.Pool, schema: string): Promise<void> {
  await inTransaction(db, 'begin isolation level repeatable read', async (client) => {
    await client.query(`drop schema if exists ${copyOf(schema)} cascade`)
    await client.query(`create schema ${copyOf(schema)}`)
    for (const { table, columns } of await tablesOf(client, schema)) {
      await client.query(`create table ${copyOf(schema)}."${table}" as select ${columns} from ${schema}."${table}"`)
    }
    await client.query(
      `create table ${copyOf(schema)}.sequences as
       select sequencename, coalesce(last_value, 0) as last_value from pg_sequences where schemaname = '${schema}'`,
    )
  })
}

/** Writes the rows back, as `pg_restore --data-only --schema` does after a truncation. Its services are stopped. */
export async function restoreSchema(db: pg.Pool, schema: string): Promise<void> {
  await inTransaction(db, 'begin', async (client) => {
    // Disables foreign keys and the trigger that protects operator actions, as pg_restore --disable-triggers does.
    await client.query('set local session_replication_role = replica')
    const tables = await tablesOf(client, schema)
    await client.query(`truncate ${tables.map(({ table }) => `${schema}."${table}"`).join(', ')}`)
    for (const { table, columns } of tables) {
      await client.query(
        `insert into ${schema}."${table}" (${columns}) overriding system value
         select ${columns} from ${copyOf(schema)}."${table}"`,
      )
    }
    await client.query(
      `select setval(format('%I.%I', '${schema}', sequencename)::regclass, greatest(last_value, 1), last_value > 0)
       from ${copyOf(schema)}.sequences`,
    )
  })
  await db.query(`drop schema ${copyOf(schema)} cascade`)
}

async function inTransaction(db: pg.Pool, begin: string, work: (client: pg.ClientBase) => Promise<void>) {
  const client = await db.connect()
  try {
    await client.query(begin)
    await work(client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
