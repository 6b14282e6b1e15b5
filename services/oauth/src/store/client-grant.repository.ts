import type { Address } from '@callboard/values'
import { type ExpressionBuilder, sql } from 'kysely'
import { anyOf } from './family.repository.ts'
import type { OauthDb, OauthTables, OauthTx } from './tables.ts'

/** Agents are linked, and sessions make tokens for their own pages: neither is a program that an owner allowed. */
const ofPrograms = (row: ExpressionBuilder<OauthTables, 'token_family'>) =>
  row.and([row('client_id', 'not like', 'agent\\_%'), row('client_id', '<>', 'console')])

/** When the last token of a family ends; null if none is left. */
const tokensEnd = sql<Date | null>`(
  select max(token.expires_at) from (
    select expires_at from access_token where family_id = token_family.id
    union all
    select expires_at from refresh_token where family_id = token_family.id and used_at is null
  ) token
)`

/** The families that an owner's programs can still use, with what is known of their clients; newest first. */
export const programFamiliesOf = (db: OauthDb, owner: Address, now: Date, clientId?: string) =>
  db
    .selectFrom('token_family')
    .innerJoin('client', 'client.id', 'token_family.client_id')
    .selectAll('token_family')
    .select(['client.metadata', 'client.fetched_at', 'client.created_at as registered_at'])
    .select(tokensEnd.as('tokens_end'))
    .where('owner', '=', owner)
    .where('revoked_at', 'is', null)
    .where(ofPrograms)
    .where(tokensEnd, '>', now)
    .$if(clientId !== undefined, (query) => query.where('client_id', '=', clientId ?? ''))
    .orderBy('token_family.created_at', 'desc')
    .orderBy('token_family.id')
    .$narrowType<{ tokens_end: Date }>()
    .execute()
export type ProgramFamily = Awaited<ReturnType<typeof programFamiliesOf>>[number]

/** Every program that an owner ever allowed, including ended ones. */
export async function programsOf(db: OauthDb, owner: Address): Promise<string[]> {
  const rows = await db
    .selectFrom('token_family')
    .select('client_id')
    .distinct()
    .where('owner', '=', owner)
    .where(ofPrograms)
    .unionAll(db.selectFrom('authorization_code').select('client_id').distinct().where('owner', '=', owner))
    .execute()
  return [...new Set(rows.map(({ client_id }) => client_id))]
}

/**
 * Ends what an owner's programs hold. Codes first: this waits for one that is being redeemed, so that its family is
 * among those that end.
 * @param shownSince families that ended after this are returned again: their end may not have been shown
 * @returns families that have ended
 */
export async function endPrograms(
  tx: OauthTx,
  owner: Address,
  {
    clientIds,
    now,
    shownSince,
  }: { readonly clientIds: readonly string[]; readonly now: Date; readonly shownSince: Date },
): Promise<string[]> {
  if (clientIds.length === 0) return []
  const clients = anyOf(clientIds)
  await tx.deleteFrom('authorization_code').where('owner', '=', owner).where('client_id', '=', clients).execute()
  await tx
    .updateTable('token_family')
    .set({ revoked_at: now, revoked_because: 'owner' })
    .where('owner', '=', owner)
    .where('client_id', '=', clients)
    .where('revoked_at', 'is', null)
    .execute()
  const ended = await tx
    .selectFrom('token_family')
    .select('id')
    .where('owner', '=', owner)
    .where('client_id', '=', clients)
    .where('revoked_at', '>', shownSince)
    .execute()
  return ended.map(({ id }) => id)
}

/** The families of an owner's programs beyond a number, used the longest ago. Others that change now are left out. */
export async function lockLeastUsed(tx: OauthTx, owner: Address, kept: number): Promise<string[]> {
  const beyond = tx
    .selectFrom('token_family')
    .select('id')
    .where('owner', '=', owner)
    .where('revoked_at', 'is', null)
    .where(ofPrograms)
    .orderBy((row) => row.fn.coalesce('last_used_at', 'created_at'), 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .offset(kept)
    .limit(1_000)
  const rows = await tx
    .selectFrom('token_family')
    .select('id')
    .where('id', 'in', beyond)
    .where('revoked_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(({ id }) => id)
}

/** The number of agents that hold tokens of an owner. */
export async function countAgents(db: OauthDb, owner: Address): Promise<number> {
  const { agents } = await db
    .selectFrom('token_family')
    .select((row) => row.fn.count<number>('client_id').distinct().as('agents'))
    .where('owner', '=', owner)
    .where('revoked_at', 'is', null)
    .where('client_id', 'like', 'agent\\_%')
    .executeTakeFirstOrThrow()
  return Number(agents)
}
