import type { Scope } from '@callboard/contract'
import type { Address } from '@callboard/values'
import { sql } from 'kysely'
import type { OauthDb, OauthTx, TokenFamilyTable } from './tables.ts'

/** Why a family ended; `lapsed`: its lifetime is over; `displaced`: its owner allowed too many others since. */
export type Because =
  | 'owner'
  | 'relinked'
  | 'reuse'
  | 'revoked'
  | 'signed_out'
  | 'client_removed'
  | 'lapsed'
  | 'displaced'

export const insertFamily = (
  tx: OauthTx,
  family: Omit<TokenFamilyTable, 'redirect_uri' | 'last_used_at' | 'revoked_at' | 'revoked_because'> & {
    readonly redirect_uri?: string
  },
) =>
  tx
    .insertInto('token_family')
    .values({ redirect_uri: null, ...family, last_used_at: null, revoked_at: null, revoked_because: null })
    .execute()

export const familyById = (db: OauthDb, id: string) =>
  db.selectFrom('token_family').selectAll().where('id', '=', id).executeTakeFirst()

/** As one parameter: a statement has places for 65,535, and an owner or a popular client can have more families. */
export const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::text[])`

/** Ends families for good. The first reason is kept. */
export async function endFamilies(tx: OauthTx, ids: readonly string[], now: Date, because: Because): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('token_family')
    .set({ revoked_at: now, revoked_because: because })
    .where('id', '=', anyOf(ids))
    .where('revoked_at', 'is', null)
    .execute()
}

/** Ends every family of a client. @returns their ids */
export async function endFamiliesOfClient(tx: OauthTx, clientId: string, now: Date): Promise<string[]> {
  const families = await tx
    .selectFrom('token_family')
    .select('id')
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .execute()
  const ids = families.map(({ id }) => id)
  await endFamilies(tx, ids, now, 'client_removed')
  return ids
}

/** Records a token's use, at most once a minute. */
export const touchFamily = (db: OauthDb, id: string, now: Date, notSince: Date) =>
  db
    .updateTable('token_family')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<', notSince)]))
    .execute()

/** When the owner consented to families, and when their tokens were last used. */
export const familyTimes = (db: OauthDb, ids: readonly string[]) =>
  db
    .selectFrom('token_family')
    .select(['id', 'created_at', 'last_used_at'])
    .where('id', 'in', [...ids])
    .execute()

/** The family of the short-lived tokens that an owner's session makes for its own pages. */
export const familyOfSession = (sessionId: string): string => `session_${sessionId}`

/**
 * Makes sure that a session has its family, and that it is live: revoking one of its tokens ends them all, but not the
 * session, which may make others. The caller holds the session. @returns the family's id
 */
export async function openFamilyOfSession(
  tx: OauthTx,
  given: { sessionId: string; owner: Address; scopes: Scope[]; audience: string; now: Date },
): Promise<string> {
  const id = familyOfSession(given.sessionId)
  await tx
    .insertInto('token_family')
    .values({
      id,
      client_id: 'console',
      owner: given.owner,
      scopes: given.scopes,
      audience: given.audience,
      redirect_uri: null,
      created_at: given.now,
      last_used_at: null,
      revoked_at: null,
      revoked_because: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await reviveRevoked(tx, id)
  return id
}

/** Makes a family live again whose tokens were revoked. Those go first, so that none of them becomes valid again. */
async function reviveRevoked(tx: OauthTx, id: string): Promise<void> {
  const revoked = await tx
    .selectFrom('token_family')
    .select('id')
    .where('id', '=', id)
    .where('revoked_because', '=', 'revoked')
    .forUpdate()
    .executeTakeFirst()
  if (!revoked) return
  await tx.deleteFrom('access_token').where('family_id', '=', id).execute()
  await tx.updateTable('token_family').set({ revoked_at: null, revoked_because: null }).where('id', '=', id).execute()
}
