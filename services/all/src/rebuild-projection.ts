import { type ServiceContext, type ServiceModule, schemaOf } from '@callboard/runtime'
import { appendAction, migrate, openDatabase } from '@callboard/store'
import { type Kysely, sql } from 'kysely'
import { mergeTable } from './merge-projection.ts'
import { type Projection, readEvents } from './projection.ts'

/** What a rebuild read and mended. */
export interface Rebuilt {
  readonly events: number
  /** Rows that were other than the events say. */
  readonly rows: number
}

/** Where and on whose behalf a projection is made again. */
export interface Rebuilding {
  readonly projection: Projection
  /** Of the projection as its readers see it. */
  readonly ctx: ServiceContext
  /** Whose event logs are read. */
  readonly sources: readonly ServiceModule[]
  readonly databaseUrl: string
  /** The operator's name. */
  readonly by: string
}

/** While the rows are brought over, events wait; a statement may then take longer than elsewhere. */
const BRINGING_OVER_MS = 600_000

/**
 * Makes a projection again from the event logs, unseen by its readers: in a schema beside it, whose rows are brought over in one
 * transaction once it has heard all events. Where the process or the database ends before that, nothing has changed; what was
 * made beside is dropped by the next rebuild. It is written down as begun, and as done or failed.
 * @throws Error when another rebuild of it is under way
 */
export async function rebuildProjection(rebuilding: Rebuilding): Promise<Rebuilt> {
  const { projection, ctx, by, databaseUrl: url } = rebuilding
  const { name } = projection.module
  const action = { by, verb: 'rebuild', subject: name, arguments: {} }
  const beside = openDatabase<never>({ url, schema: `${schemaOf(name)}_rebuild`, maxConnections: 5, onError: () => {} })
  const only = await ctx.sessions.connect()
  try {
    await lockRebuild(only, name)
    await appendAction(ctx.db, action, { outcome: 'begun' })
    await sql`drop schema if exists ${sql.id(beside.schema)} cascade`.execute(beside.db)
    await migrate(beside.db as unknown as Kysely<never>, beside.schema, projection.module.migrations ?? {})
    const filled = { ...ctx, db: beside.db, pool: beside.pool, sessions: beside.sessions } as unknown as ServiceContext
    const rebuilt = await bringOver(rebuilding, filled, beside.schema, action)
    await sql`drop schema ${sql.id(beside.schema)} cascade`.execute(beside.db)
    return rebuilt
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await appendAction(ctx.db, action, { outcome: 'failed', reason }).catch(() => {})
    throw error
  } finally {
    // Its lock ends with the connection.
    only.release(true)
    await beside.close()
  }
}

/** Holds the right to rebuild a projection as long as the connection lives. */
async function lockRebuild(only: { query: ServiceContext['pool']['query'] }, name: string): Promise<void> {
  const { rows } = await only.query<{ free: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as free', [
    `rebuild:${name}`,
  ])
  if (!rows[0]?.free) throw new Error(`Another rebuild of ${name} is under way.`)
}

async function bringOver(
  { projection, ctx, sources }: Rebuilding,
  filled: ServiceContext,
  from: string,
  action: Parameters<typeof appendAction>[1],
): Promise<Rebuilt> {
  let events = 0
  // Most of them while consumers go on; what comes meanwhile is little.
  for (let more = Number.POSITIVE_INFINITY; more > 0; events += more)
    more = await readEvents(projection, filled, sources)
  return ctx.db.transaction().execute(async (tx) => {
    await sql`
      select set_config('statement_timeout', ${String(BRINGING_OVER_MS)}, true),
             set_config('idle_in_transaction_session_timeout', ${String(BRINGING_OVER_MS)}, true)`.execute(tx)
    // Consumers claim an event before they do anything else, so none is half handled now, and readers are not waited for.
    await sql`lock table inbox in share row exclusive mode`.execute(tx)
    events += await readEvents(projection, filled, sources)
    let rows = 0
    for (const table of projection.tables) {
      const kept = projection.derived[table] ?? []
      rows += await mergeTable(tx, table, { from, into: schemaOf(projection.module.name), kept })
    }
    await sql`
      insert into inbox (consumer, event_id, handled_at)
      select consumer, event_id, handled_at from ${sql.id(from, 'inbox')} on conflict do nothing`.execute(tx)
    await appendAction(tx, action, { outcome: 'done', saw: { events, rows } })
    return { events, rows }
  })
}
