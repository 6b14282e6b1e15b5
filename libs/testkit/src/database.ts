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
  const pool = new pg.Pool({ connectionString: url.href, max: 2 })
  pool.on('error', () => {})
  // A connection released by the pool is still open when the database is dropped, and gets an error.
  pool.on('connect', (client) => client.on('error', () => {}))
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
