import { statement } from '@callboard/store'
import type { Address } from '@callboard/values'
import { sql } from 'kysely'
import type { OauthDb, OauthTx, SessionTable } from './tables.ts'

export const insertSession = (tx: OauthTx, session: SessionTable) => tx.insertInto('session').values(session).execute()

export type FoundSession = Pick<SessionTable, 'id' | 'owner' | 'created_at' | 'last_seen_at'> & {
  readonly epoch: number
}

/** Sessions with their owners' epochs, by the hashes of their tokens. */
export async function findSessions(db: OauthDb, tokenHashes: readonly string[]) {
  const { rows } = await statement<FoundSession & { readonly hash: string }>`
    select token_hash as hash, session.id, session.owner, session.created_at, session.last_seen_at, account.epoch
      from session
      join account on account.owner = session.owner
     where token_hash = any(${tokenHashes})`.execute(db)
  return rows
}

interface SessionOf {
  readonly owner: Address
  readonly sessionId: string
}

const sessionOf = (db: OauthDb, { owner, sessionId }: SessionOf) =>
  db.selectFrom('session').select('id').where('id', '=', sessionId).where('owner', '=', owner)

/**
 * Locks a session until commit, so that ending it waits for what is granted in its name, and then ends that as well.
 * @returns false if it has ended, even if it was valid when its request arrived
 */
export const holdSession = async (tx: OauthTx, session: SessionOf): Promise<boolean> =>
  (await sessionOf(tx, session).forKeyShare().executeTakeFirst()) !== undefined

/** Whether a session has not ended. */
export const sessionIsActive = async (db: OauthDb, session: SessionOf): Promise<boolean> =>
  (await sessionOf(db, session).executeTakeFirst()) !== undefined

/** Records a session's use, at most once a minute. */
export const touchSession = (db: OauthDb, id: string, now: Date, notSince: Date) =>
  db
    .updateTable('session')
    .set({ last_seen_at: now })
    .where('id', '=', id)
    .where('last_seen_at', '<', notSince)
    .execute()

/** An owner's sessions, newest first. */
export const sessionsOf = (db: OauthDb, owner: Address, limit: number) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

export async function countSessions(db: OauthDb, owner: Address): Promise<number> {
  const { all } = await db
    .selectFrom('session')
    .select((row) => row.fn.countAll<number>().as('all'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return Number(all)
}

/** @returns false if the owner has no such session */
export async function deleteSession(tx: OauthTx, owner: Address, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('session')
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** @returns their ids */
export async function deleteSessions(tx: OauthTx, owner: Address): Promise<string[]> {
  const sessions = await tx.deleteFrom('session').where('owner', '=', owner).returning('id').execute()
  return sessions.map(({ id }) => id)
}

/**
 * Removes an owner's sessions but the last used ones, at most 1,000 at a time. A session in which something is just
 * granted is passed over, and so are those that a concurrent sign-in removes. @returns their ids
 */
export async function deleteLeastUsed(tx: OauthTx, owner: Address, kept: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from session where owner = ${owner} and id in (
      select id from session where id in (
        select id from session where owner = ${owner}
        order by last_seen_at desc, created_at desc, id offset ${kept} limit 1000)
      for update skip locked)
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Removes sessions that can no longer be used. @returns how many */
export async function sweepSessions(db: OauthDb, bornBefore: Date, unseenSince: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where((row) => row.or([row('created_at', '<', bornBefore), row('last_seen_at', '<', unseenSince)]))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
