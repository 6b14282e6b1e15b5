import { modules } from '@callboard/all'
import { pgQuery } from '@callboard/embedded'
import { roleOf } from '@callboard/runtime'

/** What the names of a cluster's roles begin with. */
export const ROLE_PREFIX = 'callboard_'

const withTables = modules.filter(({ migrations }) => migrations).map(({ name }) => name)

/**
 * Creates a role of Postgres for each service that has tables, as deploy/postgres/roles.sql does; those of an earlier start are
 * kept. A local server asks for no passwords.
 * @param administrator the database as its superuser signs in to it
 */
export async function createRoles(administrator: string): Promise<void> {
  const { port, username: user, pathname } = new URL(administrator)
  const database = pathname.slice(1)
  const run = (sql: string) => pgQuery({ port: Number(port), user, database }, sql)
  const known = new Set((await run('select rolname from pg_roles')).map(([name]) => name))
  const roles = withTables.map((name) => roleOf(ROLE_PREFIX, name))
  for (const role of roles) if (!known.has(role)) await run(`create role ${role} login`)
  await run(`revoke temporary on database ${database} from public; revoke all on schema public from public`)
}

/** The database as a service signs in to it; as it was given for a service without tables. */
export function urlOfRole(databaseUrl: string, service: string): string {
  if (!withTables.includes(service)) return databaseUrl
  const url = new URL(databaseUrl)
  url.username = roleOf(ROLE_PREFIX, service)
  return url.href
}
