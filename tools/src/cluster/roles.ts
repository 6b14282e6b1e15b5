import { modules } from '@callboard/all'
import { pgQuery } from '@callboard/embedded'
import { roleOf } from '@callboard/runtime'

/** The prefix of a cluster's role names. */
export const ROLE_PREFIX = 'callboard_'

const withTables = modules.filter(({ migrations }) => migrations).map(({ name }) => name)

/**
 * Creates a Postgres role for each service that has tables, as deploy/postgres/roles.sql does; those of an earlier
 * start are kept. A local server requires no passwords.
 * @param administrator the database URL of the superuser
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

/** The database URL of a service; for one without tables, the URL as given. */
export function urlOfRole(databaseUrl: string, service: string): string {
  if (!withTables.includes(service)) return databaseUrl
  const url = new URL(databaseUrl)
  url.username = roleOf(ROLE_PREFIX, service)
  return url.href
}
