import { sql } from 'kysely'
import type { OauthDb } from './tables.ts'

/** Rows of one statement: others wait for none of them for long. */
const AT_ONCE = 1_000

interface Ended {
  /** What was revoked before goes. */
  readonly revokedBefore: Date
  /** What an owner consented to before goes, too, where nobody revoked it: its tokens were refreshed for as long as that is allowed. */
  readonly consentedBefore: Date
}

/**
 * Removes families that ended before a moment, and of which nothing is left by which they could be presented: no token, used ones
 * too, by which a thief is told; no code; no session, which makes tokens for its family whenever it wants some. That of an agent whose link goes on
 * stays, since it says when the agent was seen last.
 * @returns how many
 */
export async function sweepFamilies(db: OauthDb, { revokedBefore, consentedBefore }: Ended): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from token_family where id in (
      select id from token_family family
       where (revoked_at < ${revokedBefore}
              or (revoked_at is null and client_id not like 'agent\\_%' and created_at < ${consentedBefore}))
         and not exists (select from access_token where family_id = family.id)
         and not exists (select from refresh_token where family_id = family.id)
         and not exists (select from authorization_code where family_id = family.id)
         and not exists (select from device_grant where family_id = family.id)
         and not exists (select from session where 'session_' || session.id = family.id)
       limit ${AT_ONCE})`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** Removes API keys that were revoked before a moment. @returns how many */
export async function sweepKeys(db: OauthDb, revokedBefore: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from api_key where id in (
      select id from api_key where revoked_at < ${revokedBefore} limit ${AT_ONCE})`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** Sweeps until nothing is left that ended so long ago, or the job is to stop. */
export async function sweepAll(sweep: () => Promise<number>, signal: AbortSignal): Promise<void> {
  while ((await sweep()) === AT_ONCE && !signal.aborted);
}
