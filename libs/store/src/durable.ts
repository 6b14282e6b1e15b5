import type pg from 'pg'

/** What Postgres needs so that what it acknowledged outlives a power cut. */
const NEEDED = ['fsync', 'synchronous_commit', 'full_page_writes'] as const

/**
 * Asks whether what a database acknowledges outlives a power cut, as the connection's own settings have it.
 * @returns the settings that are off; empty when it is durable
 */
export async function durabilityGaps(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [NEEDED],
  )
  return NEEDED.filter((name) => rows.find((row) => row.name === name)?.setting === 'off')
}
