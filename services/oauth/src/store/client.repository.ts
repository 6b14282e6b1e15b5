import type { ClientTable, OauthDb, OauthTx } from './tables.ts'

export const insertClient = (db: OauthDb, client: Omit<ClientTable, 'last_used_at'>) =>
  db
    .insertInto('client')
    .values({ ...client, last_used_at: null })
    .execute()

export const clientById = (db: OauthDb, id: string) =>
  db.selectFrom('client').selectAll().where('id', '=', id).executeTakeFirst()

/** Locked: changes of one client come one after another. */
export const lockClient = (tx: OauthTx, id: string) =>
  tx.selectFrom('client').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

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
