import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { eventTables } from './event-tables.ts'

/** A service's migrations by name; names sort in the order in which they run. */
export type Migrations = Readonly<Record<string, Migration>>

/**
 * Brings a schema to the newest version, creating it when absent. Kysely's migrator holds an advisory lock, so several
 * replicas may call this at once, and each migration is one transaction: killed half-way, it starts over.
 * @throws the first migration's error; the ones before it stay applied
 */
export async function migrate(db: Kysely<never>, schema: string, own: Migrations): Promise<void> {
  await createSchema(db, schema)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ '0000-event-tables': eventTables, ...own }) },
    migrationTableSchema: schema,
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find((result) => result.status === 'Error')?.migrationName ?? 'before the first'
  throw new Error(`Migration of schema ${schema} failed at ${failed}`, { cause: error })
}

/** `create schema if not exists` of two sessions at once can still collide on the catalogue's unique index. */
async function createSchema(db: Kysely<never>, schema: string): Promise<void> {
  try {
    await sql`create schema if not exists ${sql.id(schema)}`.execute(db)
  } catch (error) {
    const isDuplicate = error instanceof Error && 'code' in error && (error.code === '23505' || error.code === '42P06')
    if (!isDuplicate) throw error
  }
}
