import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { claimsByAge, eventLogTable, eventTables } from './events/event-tables.ts'
import { operatorActionTable } from './operator-actions.ts'
import { letStatementsTake } from './pool/patient-client.ts'
import { replayRequestTable } from './replay-requests.ts'
import { databaseMarkTable } from './restore/database-mark.ts'

/** A service's migrations by name; names sort in the order in which they run. */
export type Migrations = Readonly<Record<string, Migration>>

/** The first migrations of every schema. They have a numbering of their own, so their names sort first. */
const EVENT_MIGRATIONS: Migrations = {
  '0000-event-tables': eventTables,
  '0000-event-tables-claims': claimsByAge,
  '0000-event-tables-log': eventLogTable,
  '0000-event-tables-mark': databaseMarkTable,
  '0000-event-tables-operator': operatorActionTable,
  '0000-event-tables-replay': replayRequestTable,
}

/** The names of all migrations of a schema, given its service's own. */
export const migrationNames = (own: Migrations): string[] => Object.keys({ ...EVENT_MIGRATIONS, ...own })

/**
 * The names of the migrations that a schema still lacks. A schema migrated further by a newer version lacks none, so
 * old and new processes may run side by side.
 */
export async function pendingMigrations(db: Kysely<never>, schema: string, own: Migrations): Promise<string[]> {
  const wanted = migrationNames(own)
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass(${`"${schema}".kysely_migration`}) is not null as there`.execute(db)
  if (!tables[0]?.there) return wanted
  const { rows } = await sql<{ name: string }>`select name from ${sql.id(schema, 'kysely_migration')}`.execute(db)
  const done = new Set(rows.map(({ name }) => name))
  return wanted.filter((name) => !done.has(name))
}

/** How often a migration is tried that requests are in the way of. */
const MOST_ATTEMPTS = 5
const AGAIN_MS = 500
/** @source PostgreSQL documentation, appendix A: deadlock_detected, lock_not_available */
const IN_THE_WAY: readonly unknown[] = ['40P01', '55P03']

/**
 * Migrates a schema to the newest version, creating it when absent. Kysely's migrator holds an advisory lock, so
 * several replicas may call this at once. A new schema is made in one transaction, as nothing uses it. In one that is in
 * use, each migration is one transaction, so that none keeps the locks of the ones before it: requests that hold one
 * table and wait for another would deadlock with it. If killed half-way, it starts over.
 * @param db of connections that keep their session, which the lock needs
 * @throws the first migration's error; the ones before it stay applied
 */
export async function migrate(db: Kysely<never>, schema: string, own: Migrations): Promise<void> {
  const pending = await pendingMigrations(db, schema, own)
  if (pending.length === 0) return
  await createSchema(db, schema)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => inTheirTime({ ...EVENT_MIGRATIONS, ...own }) },
    migrationTableSchema: schema,
    allowUnorderedMigrations: true,
  })
  const isNew = pending.length === migrationNames(own).length
  for (let attempt = 1; ; ) {
    const { error, results = [] } = isNew ? await migrator.migrateToLatest() : await migrator.migrateUp()
    if (error === undefined) {
      if (isNew || results.length === 0) return
      attempt = 1
      continue
    }
    if (attempt === MOST_ATTEMPTS || !IN_THE_WAY.includes((error as { code?: unknown }).code)) {
      const failed = results.find((result) => result.status === 'Error')?.migrationName ?? 'before the first'
      throw new Error(`Migration of schema ${schema} failed at ${failed}`, { cause: error })
    }
    attempt += 1
    await wait(AGAIN_MS)
  }
}

/**
 * A migration may take as long as its tables are large, which a request's statement may not. It waits for a lock no
 * longer than before: everything that needs the table then waits behind it, for as long as a backup reads the table.
 */
const inTheirTime = (migrations: Migrations): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, migration]) => [
      name,
      {
        ...migration,
        up: async (db: Kysely<never>) => {
          await letStatementsTake(db, 0)
          await sql`set local lock_timeout = '15s'`.execute(db)
          await migration.up(db)
        },
      },
    ]),
  )

/** Two concurrent `create schema if not exists` can still collide on the catalogue's unique index. */
async function createSchema(db: Kysely<never>, schema: string): Promise<void> {
  try {
    await sql`create schema if not exists ${sql.id(schema)}`.execute(db)
  } catch (error) {
    const isDuplicate = error instanceof Error && 'code' in error && (error.code === '23505' || error.code === '42P06')
    if (!isDuplicate) throw error
  }
}
