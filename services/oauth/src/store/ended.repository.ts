import { sql } from 'kysely'
import type { Because } from './family.repository.ts'
import type { OauthDb, OauthTx, TokenFamilyTable } from './tables.ts'

/** Rows per statement, few enough that others do not wait for them for long. */
const AT_ONCE = 1_000

interface Ended {
  /** What was revoked before this is removed. */
  readonly revokedBefore: Date
  /** What an owner consented to before this is removed even if never revoked: its tokens can no longer be refreshed. */
  readonly consentedBefore: Date
}

/**
 * Removes families that ended before a given time and can no longer be presented in any form: no token, including used
 * ones, which reveal a thief; no code; no session, which makes tokens for its family at will. The family of an agent
 * stays until it has ended: its end is what ends the link.
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

/**
 * Ends families of agents to which their owners consented by a given time, the oldest first. A family that is being used
 * or ended at this moment is left to the next time.
 * @returns those
 */
export async function endLapsedOfAgents(
  tx: OauthTx,
  consentedBy: Date,
  now: Date,
): Promise<Pick<TokenFamilyTable, 'id' | 'client_id' | 'owner'>[]> {
  const because: Because = 'lapsed'
  const { rows } = await sql<Pick<TokenFamilyTable, 'id' | 'client_id' | 'owner'>>`
    update token_family set revoked_at = ${now}, revoked_because = ${because} where id in (
      select id from token_family
       where revoked_at is null and client_id like 'agent\\_%' and created_at <= ${consentedBy}
       order by created_at limit ${AT_ONCE} for no key update skip locked)
    returning id, client_id, owner`.execute(tx)
  return rows
}

/** Removes API keys that were revoked before a given time. @returns how many */
export async function sweepKeys(db: OauthDb, revokedBefore: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from api_key where id in (
      select id from api_key where revoked_at < ${revokedBefore} limit ${AT_ONCE})`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** Sweeps until nothing is left to remove or to end, or the job must stop. */
export async function sweepAll(sweep: () => Promise<number>, signal: AbortSignal): Promise<void> {
  while ((await sweep()) === AT_ONCE && !signal.aborted);
}
