import { Kysely, type Transaction } from 'kysely'
import pg from 'pg'
import { applicationName } from './connected-versions.ts'
import type { EventTables } from './events/event-tables.ts'
import { WorkPool } from './pool/aside.ts'
import { EndingDialect } from './pool/ending-driver.ts'
import { PatientClient } from './pool/patient-client.ts'
import { PreparingClient } from './pool/preparing-client.ts'
import { transactionClient } from './pool/transaction-client.ts'
import { isOfEarlierDatabase, type SessionSettings, transactionPrelude } from './pool/transaction-prelude.ts'
import { RestoreGuard } from './restore/restore-guard.ts'

/** A service's own tables plus the event tables of every schema. */
export type Tables<Own> = Own & EventTables

/** A URL of Postgres, or a function that returns it each time a connection is opened. */
export type Url = string | (() => string)

/** Reads a URL as the client does. @throws Error where that is not possible */
export const readPostgresUrl = (url: string): pg.Client => new pg.Client({ connectionString: url })

/** How to bypass a pooler that reassigns sessions after each transaction. */
export interface Pooler {
  /** Postgres itself, for what needs a session. */
  readonly directUrl: Url
  /** Whether it supports prepared statements, as PgBouncer does from 1.21 on with `max_prepared_statements`. */
  readonly prepares: boolean
}

export interface DatabaseSettings {
  /** The server and the credentials. */
  readonly url: Url
  /** Given where `url` is such a pooler. */
  readonly pooler?: Pooler | undefined
  /** The service's schema: the only one on its search path. */
  readonly schema: string
  /** The process's version, visible to anyone who inspects the server's connections. */
  readonly version?: string
  readonly maxConnections: number
  /** How long a connection waits for an answer before it is closed; default 20 s, longer than any usual statement. */
  readonly answersWithinMs?: number
  /** Called with errors of idle connections; the pool replaces them automatically. */
  readonly onError: (error: Error) => void
}

export interface Database<Own> {
  readonly db: Kysely<Tables<Own>>
  readonly pool: WorkPool
  /** Connections that keep their session for as long as they are held: the pool, or ones that bypass its pooler. */
  readonly sessions: pg.Pool
  /** The same tables over those connections, for migrations: their lock is a session's. */
  readonly direct: Kysely<Tables<Own>>
  readonly schema: string
  /** Checks each new connection and, behind a pooler, each transaction. */
  readonly guard: RestoreGuard
  close(): Promise<void>
}

const STATEMENT_TIMEOUT_MS = 15_000
/** Longer than any statement may take. */
const ANSWERS_WITHIN_MS = 20_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000
const INT8 = 20

/** Parses a bigint column as a number if that is exact; amounts are `numeric` and stay text. */
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
 * Opens a service's pool. A statement may take 15 s and an idle transaction 30 s, so a stuck client frees its locks. No
 * connection is opened before the first query.
 */
export function openDatabase<Own>(settings: DatabaseSettings): Database<Own> {
  const { schema, pooler } = settings
  const guard = new RestoreGuard()
  const pool = new WorkPool({
    ...base(settings),
    ...(pooler ? behindPooler(settings, pooler, guard) : ofSessions(settings, guard)),
  })
  const sessions = pooler
    ? new pg.Pool({ ...base(settings), ...ofSessions({ ...settings, url: pooler.directUrl }, guard), min: 0 })
    : pool
  // Ending the pool does not wait for final messages of its connections; their errors do not matter.
  let closing = false
  for (const one of new Set([pool, sessions])) {
    one.on('error', (error) => closing || settings.onError(error))
    // A connection that dies between two statements of a transaction emits an event that no statement awaits; without a
    // listener it would end the process. The next statement fails in any case.
    one.on('connect', (client) => client.on('error', () => {}))
    // A connection that is ending is not kept: the next one goes to where the address leads then.
    one.on('release', (_, client) => {
      if ((client as unknown as PatientClient).isOfStandby) client.end().catch(() => {})
    })
  }
  const db = new Kysely<Tables<Own>>({ dialect: new EndingDialect({ pool }) })
  const direct = sessions === pool ? db : new Kysely<Tables<Own>>({ dialect: new EndingDialect({ pool: sessions }) })
  const close = async () => {
    closing = true
    await Promise.all([db.destroy(), ...(sessions === pool ? [] : [sessions.end()])])
  }
  return { db, direct, pool, sessions, schema, guard, close }
}

const base = ({
  schema,
  version,
  maxConnections,
  answersWithinMs = ANSWERS_WITHIN_MS,
}: DatabaseSettings): pg.PoolConfig =>
  ({
    max: maxConnections,
    // Polls twice a minute find a connection open: opening one costs more than the poll.
    min: 1,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    query_timeout: answersWithinMs,
    application_name: applicationName(schema, version),
    types,
    // Statements of a transaction that are issued together are sent together.
    pipeline: true,
  }) as pg.PoolConfig

/** A client class that reads its URL when it is created. */
const signingIn = (url: Url, Client: typeof pg.Client): typeof pg.Client =>
  class extends Client {
    constructor(options: pg.ClientConfig) {
      super({ ...options, connectionString: typeof url === 'string' ? url : url() })
    }
  }

/** Connections that each have a session, configured at their start. */
const ofSessions = ({ schema, url }: DatabaseSettings, guard: RestoreGuard): pg.PoolConfig =>
  ({
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    options: `-c search_path=${schema}`,
    Client: signingIn(url, PreparingClient),
    verify: (client: pg.PoolClient, done: (error?: Error) => void) => void guard.check(client).then(() => done(), done),
  }) as pg.PoolConfig

/** Connections to a pooler, which refuses session settings. */
function behindPooler({ schema, url }: DatabaseSettings, { prepares }: Pooler, guard: RestoreGuard): pg.PoolConfig {
  const session: SessionSettings = {
    schema,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    idleInTransactionTimeoutMs: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  }
  const Client = transactionClient(prepares ? PreparingClient : PatientClient, {
    prelude: () => transactionPrelude(session, guard.least),
    explain: (error) => (isOfEarlierDatabase(error) ? guard.refusal() : error),
  })
  return { Client: signingIn(url, Client) } as pg.PoolConfig
}

/** A transaction of a service with the given tables. */
export type Tx<Own> = Transaction<Tables<Own>>

/** Anything that can read: the pool or an open transaction. */
export type Db<Own> = Kysely<Tables<Own>>
