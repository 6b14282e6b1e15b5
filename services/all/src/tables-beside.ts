import { type Env, schemaOf } from '@callboard/runtime'
import { type Database, type EventTables, openDatabase } from '@callboard/store'
import type { Kysely } from 'kysely'
import { directUrlOf, instanceEnv } from './beside.ts'

/** The tables of services that are not started: needs only `DATABASE_URL`, or `DATABASE_DIRECT_URL` behind a pooler. */
export interface TablesBeside {
  /** The schema of a service, as its search path. */
  of(service: Named): Kysely<EventTables>
}

/** A service, of which only the name is needed. */
export interface Named {
  readonly name: string
}

const CONNECTIONS = 2

/** Works on the tables of an instance, running or not, and closes everything afterwards. */
export async function besideTables(env: Env, work: (tables: TablesBeside) => Promise<number>): Promise<number> {
  const url = directUrlOf(instanceEnv(env))
  const opened = new Map<string, Database<EventTables>>()
  const of = ({ name }: Named) => {
    const schema = schemaOf(name)
    const known = opened.get(schema)
    if (known) return known.db as unknown as Kysely<EventTables>
    const made = openDatabase<EventTables>({ url, schema, maxConnections: CONNECTIONS, onError: () => {} })
    opened.set(schema, made)
    return made.db as unknown as Kysely<EventTables>
  }
  try {
    return await work({ of })
  } finally {
    await Promise.all([...opened.values()].map((database) => database.close()))
  }
}

/** @source PostgreSQL documentation, appendix A: insufficient_privilege, invalid_schema_name, undefined_table */
const NOT_READABLE: ReadonlySet<unknown> = new Set(['42501', '3F000', '42P01'])

/** The rows of each service's tables, and the services whose tables are missing or closed to this Postgres user. */
export async function readEach<Service extends Named, Row>(
  services: readonly Service[],
  read: (service: Service) => Promise<readonly Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly unread: readonly string[] }> {
  const rows: Row[] = []
  const unread: string[] = []
  for (const service of services) {
    try {
      rows.push(...(await read(service)))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && NOT_READABLE.has(error.code))) throw error
      unread.push(service.name)
    }
  }
  return { rows, unread }
}

/** The line about services whose tables were not read. */
export const unreadLine = (unread: readonly string[]): string[] =>
  unread.length === 0
    ? []
    : [`not read, because this user of Postgres may not or they are not there: ${unread.join(', ')}`]
