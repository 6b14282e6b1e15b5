import { discardedEvents, type ServiceContext, type ServiceModule, schemaOf } from '@callboard/runtime'
import { appendAction, claimEvents, type EventTables, letStatementsTake, migrate, openDatabase } from '@callboard/store'
import { type Kysely, sql } from 'kysely'
import { mergeTable } from './merge-projection.ts'
import { type Projection, readEvents } from './projection.ts'

/** What a rebuild read and fixed. */
export interface Rebuilt {
  readonly events: number
  /** Rows that differed from what the events say. */
  readonly rows: number
}

/** What to rebuild, where, and on whose behalf. */
export interface Rebuilding {
  readonly projection: Projection
  /** The context of the projection as its readers see it. */
  readonly ctx: ServiceContext
  /** The services whose event logs are read. */
  readonly sources: readonly ServiceModule[]
  readonly databaseUrl: string
  /** The operator's name. */
  readonly by: string
}

/** Events wait while the rows are copied; a statement may then take longer than usual. */
const BRINGING_OVER_MS = 600_000

/**
 * Rebuilds a projection from the event logs, invisibly to its readers: in a separate schema, whose rows are copied in
 * one transaction once it has handled all events. If the process or the database stops before that, nothing has
 * changed, and the next rebuild drops the leftovers. The action is recorded as begun, and as done or failed.
 * @throws Error when another rebuild of it is in progress
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
    await leaveOutDiscarded(ctx.db, beside.db)
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

/** Has an empty schema count as handled what operators discarded: it would take effect, or no rebuild would complete. */
async function leaveOutDiscarded(live: ServiceContext['db'], made: Kysely<never>): Promise<void> {
  const discarded = await discardedEvents(live as unknown as Kysely<EventTables>)
  await made.transaction().execute((tx) => claimEvents(tx, discarded))
}

/** Holds the lock for rebuilding a projection as long as the connection lives. */
async function lockRebuild(only: { query: ServiceContext['pool']['query'] }, name: string): Promise<void> {
  const { rows } = await only.query<{ free: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as free', [
    `rebuild:${name}`,
  ])
  if (!rows[0]?.free) throw new Error(`Another rebuild of ${name} is in progress.`)
}

async function bringOver(
  { projection, ctx, sources }: Rebuilding,
  filled: ServiceContext,
  from: string,
  action: Parameters<typeof appendAction>[1],
): Promise<Rebuilt> {
  let events = 0
  // Handles most of them while consumers go on; few arrive in the meantime.
  for (let more = Number.POSITIVE_INFINITY; more > 0; events += more)
    more = await readEvents(projection, filled, sources)
  return ctx.db.transaction().execute(async (tx) => {
    await letStatementsTake(tx, BRINGING_OVER_MS)
    await sql`
      select set_config('idle_in_transaction_session_timeout', ${String(BRINGING_OVER_MS)}, true)`.execute(tx)
    // Consumers claim an event before anything else, so none is half handled now; readers need not be waited for.
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
