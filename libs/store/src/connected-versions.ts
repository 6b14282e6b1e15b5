import { type Kysely, sql } from 'kysely'

/** What a pool says of itself to Postgres: `callboard-SCHEMA VERSION`, as `pg_stat_activity` shows it to every role. */
export const applicationName = (schema: string, version: string | undefined): string =>
  `callboard-${schema}${version ? ` ${version}` : ''}`

/** The versions of the processes that are connected to this database, each once; those that name none are left out. */
export async function connectedVersions(db: Kysely<never>): Promise<string[]> {
  const { rows } = await sql<{ version: string }>`
    select distinct substring(application_name from '^callboard-\\S+ (\\S+)$') as version from pg_stat_activity
    where datname = current_database() and application_name ~ '^callboard-\\S+ \\S+$' order by 1`.execute(db)
  return rows.map(({ version }) => version)
}
