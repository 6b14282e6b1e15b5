import { randomBytes } from 'node:crypto'
import pg from 'pg'

export interface TestDatabase {
  readonly url: string
  /** Runs one statement on the database as a third party would, independent of the service under test. */
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  drop(): Promise<void>
}

/** A new, empty database on the run's Postgres. */
export async function testDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  // Copied as files: the default way through the log takes twice the time.
  await onServer(serverUrl, `create database ${name} strategy file_copy`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const pool = testPool(url.href, { max: 2 })
  return {
    url: url.href,
    async query(text, values) {
      return (await pool.query(text, values)).rows
    },
    async drop() {
      await pool.end()
      await onServer(serverUrl, `drop database if exists ${name} with (force)`)
    },
  }
}

/**
 * A pool that outlives its database without an error of its own. Ending a pool does not wait for its connections: they
 * may be open when the database is dropped, and then their errors reach the client and the pool.
 */
export function testPool(connectionString: string, settings: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ connectionString, ...settings })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Rewrites a URL of the run's Postgres for TCP, for clients that cannot reach its Unix socket. */
export function overTcp(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  return url.href
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
