import type pg from 'pg'

/** The Postgres settings without which acknowledged commits may not survive a power cut. */
const NEEDED = ['fsync', 'synchronous_commit', 'full_page_writes'] as const

/**
 * Checks whether acknowledged commits survive a power cut, by the connection's own settings.
 * @returns the settings that are off; empty when it is durable
 */
export async function durabilityGaps(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [NEEDED],
  )
  return NEEDED.filter((name) => rows.find((row) => row.name === name)?.setting === 'off')
}
