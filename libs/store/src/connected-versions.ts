import { type Kysely, sql } from 'kysely'

/** A pool's name for Postgres: `callboard-SCHEMA VERSION`, which `pg_stat_activity` shows to every role. */
export const applicationName = (schema: string, version: string | undefined): string =>
  `callboard-${schema}${version ? ` ${version}` : ''}`

/** The versions of the processes connected to this database, each once; connections without one are left out. */
export async function connectedVersions(db: Kysely<never>): Promise<string[]> {
  const { rows } = await sql<{ version: string }>`
    select distinct substring(application_name from '^callboard-\\S+ (\\S+)$') as version from pg_stat_activity
    where datname = current_database() and application_name ~ '^callboard-\\S+ \\S+$' order by 1`.execute(db)
  return rows.map(({ version }) => version)
}
