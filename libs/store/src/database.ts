import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { EventTables } from './event-tables.ts'
import { PreparingClient } from './preparing-client.ts'
import { RestoreGuard } from './restore/restore-guard.ts'

/** A service's own tables beside the event tables that every schema holds. */
export type Tables<Own> = Own & EventTables

export interface DatabaseSettings {
  readonly url: string
  /** The service's schema: the only one on its search path. */
  readonly schema: string
  readonly maxConnections: number
  /** Called with errors of idle connections; the pool replaces them by itself. */
  readonly onError: (error: Error) => void
}

export interface Database<Own> {
  readonly db: Kysely<Tables<Own>>
  readonly pool: pg.Pool
  readonly schema: string
  /** Looks at each new connection. */
  readonly guard: RestoreGuard
  close(): Promise<void>
}

const INT8 = 20

/** A bigint column as a number, as long as it is one exactly; amounts are `numeric` and stay text. */
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} does not fit a number; use numeric`)
  return value
}

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? safeInteger : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

/**
 * Opens a service's pool. A statement may take 15 s and an idle transaction 30 s, so a stuck client frees its locks.
 * Nothing connects before the first query.
 */
export function openDatabase<Own>(settings: DatabaseSettings): Database<Own> {
  const guard = new RestoreGuard()
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.maxConnections,
    // What looks twice a minute finds a connection: opening one costs more than the look.
    min: 1,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: `callboard-${settings.schema}`,
    options: `-c search_path=${settings.schema}`,
    types,
    Client: PreparingClient,
    // Statements of a transaction that are asked for together travel together.
    pipeline: true,
    verify: (client: pg.PoolClient, done: (error?: Error) => void) => void guard.check(client).then(() => done(), done),
  } as pg.PoolConfig)
  // Ending the pool does not wait for the last words of its connections; those are no loss.
  let closing = false
  pool.on('error', (error) => closing || settings.onError(error))
  // A connection that dies between two statements of a transaction says so by an event that no statement awaits;
  // without a listener it would end the process. The next statement fails all the same.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables<Own>>({ dialect: new PostgresDialect({ pool }) })
  const close = () => {
    closing = true
    return db.destroy()
  }
  return { db, pool, schema: settings.schema, guard, close }
}

/** A transaction of a service with the given tables. */
export type Tx<Own> = Transaction<Tables<Own>>

/** What can read: the pool or an open transaction. */
export type Db<Own> = Kysely<Tables<Own>>
