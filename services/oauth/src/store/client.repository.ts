import { sql } from 'kysely'
import type { ClientTable, OauthDb, OauthTx } from './tables.ts'

/** Counts registered clients, from one network and in total. Serializes registrations until the transaction ends. */
export async function countRegistrations(tx: OauthTx, network: string | null) {
  await sql`select pg_advisory_xact_lock(hashtextextended('oauth:registrations', 0))`.execute(tx)
  const { ofNetwork, inAll } = await tx
    .selectFrom('client')
    .select((row) => [
      row.fn.countAll<string>().as('inAll'),
      row.fn.countAll<string>().filterWhere('registered_from', '=', network).as('ofNetwork'),
    ])
    .where('registration_token_hash', 'is not', null)
    .executeTakeFirstOrThrow()
  return { ofNetwork: Number(ofNetwork), inAll: Number(inAll) }
}

export const insertClient = (db: OauthDb, client: Omit<ClientTable, 'last_used_at' | 'fetched_at' | 'fresh_until'>) =>
  db
    .insertInto('client')
    .values({ ...client, last_used_at: null, fetched_at: null, fresh_until: null })
    .execute()

/**
 * Stores what a metadata document says, unless another replica read it later. Reading it counts as a use of its client.
 * @param document `now` is when the read began
 */
export const keepDocument = (
  db: OauthDb,
  { id, metadata, now, freshUntil }: Pick<ClientTable, 'id' | 'metadata'> & { readonly now: Date; freshUntil: Date },
) => {
  const read = { metadata, last_used_at: now, fetched_at: now, fresh_until: freshUntil }
  return db
    .insertInto('client')
    .values({ id, ...read, secret_hash: null, registration_token_hash: null, registered_from: null, created_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(read).where('client.fetched_at', '<=', now))
    .execute()
}

/** RFC 6749, appendix A.1. Anything else is not looked up: Postgres does not accept NUL. */
const CLIENT_ID = /^[\x20-\x7e]+$/

export const clientById = async (db: OauthDb, id: string): Promise<ClientTable | undefined> =>
  CLIENT_ID.test(id) ? db.selectFrom('client').selectAll().where('id', '=', id).executeTakeFirst() : undefined

/** Locked: changes of one client are serialized. */
export const lockClient = async (tx: OauthTx, id: string) =>
  CLIENT_ID.test(id)
    ? tx.selectFrom('client').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
    : undefined

export const changeClient = (db: OauthDb, id: string, change: Pick<ClientTable, 'metadata' | 'secret_hash'>) =>
  db.updateTable('client').set(change).where('id', '=', id).execute()

/** Removes a client and its codes. */
export const deleteClient = (tx: OauthTx, id: string) => tx.deleteFrom('client').where('id', '=', id).execute()

/** Records a client's use, at most once a day: only clients unused for months are swept. */
export const touchClient = (db: OauthDb, id: string, now: Date, notSince: Date) =>
  db
    .updateTable('client')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<', notSince)]))
    .execute()

/** Removes clients that have not been used since a given time and hold no usable token. */
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

/**
 * Removes clients that registered before a given time and that hold nothing: no grant since then, and no code. Use does
 * not count, since a client can name itself at the token endpoint as often as it likes.
 * @param readBefore documents that were read before it are removed likewise: they can be read again
 */
export const sweepNeverGranted = (db: OauthDb, since: Date, readBefore: Date) =>
  db
    .deleteFrom('client')
    .where((row) =>
      row.or([
        row.and([row('fetched_at', 'is', null), row('created_at', '<', since)]),
        row('fetched_at', '<', readBefore),
      ]),
    )
    .where(({ not, exists, or, selectFrom }) =>
      not(
        or([
          exists(
            selectFrom('token_family')
              .select('token_family.id')
              .whereRef('token_family.client_id', '=', 'client.id')
              .where((family) => family.or([family('revoked_at', 'is', null), family('revoked_at', '>', since)])),
          ),
          exists(
            selectFrom('authorization_code')
              .select('authorization_code.code_hash')
              .whereRef('authorization_code.client_id', '=', 'client.id'),
          ),
        ]),
      ),
    )
    .execute()
