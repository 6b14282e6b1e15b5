import pg from 'pg'

export interface PgTarget {
  readonly port: number
  readonly user: string
  readonly database: string
}

/** Rows as text; null represents SQL null. */
export type PgRows = readonly (readonly (string | null)[])[]

const AS_TEXT = { getTypeParser: () => String }

/** Runs one SQL text, on a connection of its own to a loopback server that trusts us, and returns its rows. */
export async function pgQuery(target: PgTarget, sql: string): Promise<PgRows> {
  const client = new pg.Client({ host: '127.0.0.1', ...target, ssl: false, types: AS_TEXT })
  // An error between two answers also rejects the waiting query.
  client.on('error', () => {})
  try {
    await client.connect()
    // A text of several statements has one result for each.
    const results = await client.query<(string | null)[]>({ text: sql, rowMode: 'array' })
    return [results].flat().flatMap(({ rows }) => rows)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    throw new Error(`Postgres refused "${sql}": ${error.message} (${error.code})`, { cause: error })
  } finally {
    await client.end()
  }
}

/** A name quoted for SQL. */
export const identifier = (name: string): string => pg.escapeIdentifier(name)
