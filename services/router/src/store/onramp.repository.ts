import { sql } from 'kysely'
import type { RouterDb } from './tables.ts'

/**
 * Takes one of a day's sessions, if any is left, and forgets earlier days.
 * @param day `2026-11-23`, in UTC
 * @returns false when all are taken
 */
export async function takeSession(db: RouterDb, day: string, perDay: number): Promise<boolean> {
  await sql`delete from onramp_day where day < ${day}::date`.execute(db)
  const { rows } = await sql<{ sessions: number }>`
    insert into onramp_day (day, sessions) values (${day}::date, 1)
    on conflict (day) do update set sessions = onramp_day.sessions + 1 where onramp_day.sessions < ${perDay}
    returning sessions`.execute(db)
  return rows.length > 0
}

/** Returns a session that was not used to ask anything. */
export const giveSessionBack = (db: RouterDb, day: string) =>
  sql`update onramp_day set sessions = sessions - 1 where day = ${day}::date and sessions > 0`.execute(db)
