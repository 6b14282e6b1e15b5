import type { ClientTable, OauthDb, OauthTx } from './tables.ts'

export const insertClient = (db: OauthDb, client: Omit<ClientTable, 'last_used_at' | 'fetched_at' | 'fresh_until'>) =>
  db
    .insertInto('client')
    .values({ ...client, last_used_at: null, fetched_at: null, fresh_until: null })
    .execute()

/**
 * Keeps what a metadata document says, unless another replica began to read it later. A document is read because its
 * client is used.
 * @param document `now` is when its reading began
 */
export const keepDocument = (
  db: OauthDb,
  { id, metadata, now, freshUntil }: Pick<ClientTable, 'id' | 'metadata'> & { readonly now: Date; freshUntil: Date },
) => {
  const read = { metadata, last_used_at: now, fetched_at: now, fresh_until: freshUntil }
  return db
    .insertInto('client')
    .values({ id, ...read, secret_hash: null, registration_token_hash: null, created_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(read).where('client.fetched_at', '<=', now))
    .execute()
}

/** RFC 6749, appendix A.1. What can be no id is not looked for: Postgres takes no NUL. */
const CLIENT_ID = /^[\x20-\x7e]+$/

export const clientById = async (db: OauthDb, id: string): Promise<ClientTable | undefined> =>
  CLIENT_ID.test(id) ? db.selectFrom('client').selectAll().where('id', '=', id).executeTakeFirst() : undefined

/** Locked: changes of one client come one after another. */
export const lockClient = async (tx: OauthTx, id: string) =>
  CLIENT_ID.test(id)
    ? tx.selectFrom('client').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
    : undefined

export const changeClient = (db: OauthDb, id: string, change: Pick<ClientTable, 'metadata' | 'secret_hash'>) =>
  db.updateTable('client').set(change).where('id', '=', id).execute()

/** Removes a client and its codes. */
export const deleteClient = (tx: OauthTx, id: string) => tx.deleteFrom('client').where('id', '=', id).execute()

/** Notes that a client was used, at most once a day: what is swept was not used for months. */
export const touchClient = (db: OauthDb, id: string, now: Date, notSince: Date) =>
  db
    .updateTable('client')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<', notSince)]))
    .execute()

/** Removes clients that were not used since a moment and hold no token that could be. */
export const sweepClients = (db: OauthDb, unusedSince: Date, now: Date) =>
  db
    .deleteFrom('client')
    .where((row) => row(row.fn.coalesce('last_used_at', 'created_at'), '<', unusedSince))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('token_family')
            .innerJoin('refresh_token', 'refresh_token.family_id', 'token_family.id')
            .select('token_family.id')
            .whereRef('token_family.client_id', '=', 'client.id')
            .where('token_family.revoked_at', 'is', null)
            .where('refresh_token.expires_at', '>', now),
        ),
      ),
    )
    .execute()
