import type pg from 'pg'

/** @source PostgreSQL documentation, appendix A: lock_not_available */
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Has Postgres end this session 25 seconds after its machine vanished without closing the connection, as in a power cut.
 * By default that takes two hours, during which no other session gets the lock. Over a Unix socket it has no effect.
 */
const NOTICED_WHEN_GONE = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'

/**
 * Takes an advisory lock for a session, or waits for its holder's end: Postgres passes it on at once, without polling.
 * @param key the lock's key or keys as SQL
 * @param ms how long to wait, less than the 15 s that a statement may take; 0: not at all
 * @returns false when another session still holds it
 */
export async function lockWithin(client: pg.ClientBase, key: string, ms: number): Promise<boolean> {
  await client.query(NOTICED_WHEN_GONE)
  if (ms === 0) {
    const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${key}) as locked`)
    return rows[0]?.locked === true
  }
  try {
    // Two statements in one text are one transaction, so that the setting ends with it but the lock does not.
    await client.query(`set local lock_timeout = ${Math.ceil(ms)}; select pg_advisory_lock(${key})`)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE) return false
    throw error
  }
}
