import { SqlText, statement } from '@callboard/store'
import { sql } from 'kysely'
import type { DeviceGrantTable, OauthDb, OauthTx } from './tables.ts'

/** @returns false if an undecided grant has this user code */
export async function insertDeviceGrant(
  db: OauthDb,
  grant: Omit<DeviceGrantTable, 'user_code' | 'state' | 'router_unavailable'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('device_grant')
    .values({ ...grant, user_code: null, state: 'pending', router_unavailable: false })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export const grantById = (db: OauthDb, id: string) =>
  db.selectFrom('device_grant').selectAll().where('id', '=', id).executeTakeFirst()

/** The newest grant of a user code: codes are reused once a grant is decided. */
export const grantByUserCode = (db: OauthDb, userCode: string, userCodeHash: string) =>
  db
    .selectFrom('device_grant')
    .selectAll()
    .where((row) => row.or([row('user_code_hash', '=', userCodeHash), row('user_code', '=', userCode)]))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Locked: decisions and polls of one grant are serialized. */
export const lockGrant = (tx: OauthTx, id: string) =>
  tx.selectFrom('device_grant').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** The columns that a poll reads. */
const POLLED = ['id', 'client_id', 'state', 'expires_at', 'polled_at', 'interval_seconds'] as const
export type PolledGrant = Pick<DeviceGrantTable, (typeof POLLED)[number]>

export const pollByDeviceCode = (db: OauthDb, deviceCodeHash: string): Promise<PolledGrant | undefined> =>
  db.selectFrom('device_grant').select(POLLED).where('device_code_hash', '=', deviceCodeHash).executeTakeFirst()

export const lockGrantByDeviceCode = (tx: OauthTx, deviceCodeHash: string) =>
  tx
    .selectFrom('device_grant')
    .selectAll()
    .where('device_code_hash', '=', deviceCodeHash)
    .forUpdate()
    .executeTakeFirst()

export const changeGrant = (tx: OauthTx, id: string, change: Partial<DeviceGrantTable>) =>
  tx.updateTable('device_grant').set(change).where('id', '=', id).execute()

/** A commit that need not be on disk before the answer: after a crash, a client may poll too early once. */
const withoutWaiting = new SqlText(`set_config('synchronous_commit', 'off', true) is not null`)

/**
 * Records a poll that comes on time, in the single statement that nearly every poll needs.
 * @param toleranceMs how much earlier than its interval it may come
 * @returns false if the grant is not this client's, is decided or over, or the poll is too early
 */
export async function notePollOnTime(
  db: OauthDb,
  of: { readonly deviceCodeHash: string; readonly clientId: string },
  now: Date,
  toleranceMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await statement`
    update device_grant
       set polled_at = ${now}
     where device_code_hash = ${of.deviceCodeHash} and client_id = ${of.clientId}
       and state = 'pending' and expires_at > ${now}
       and (polled_at is null
            or polled_at <= ${now}::timestamptz - make_interval(secs => interval_seconds - ${toleranceMs / 1_000}::float8))
       and ${withoutWaiting}`.execute(db)
  return numAffectedRows === 1n
}

/** Records a poll of an undecided grant. @returns false if the grant has changed since it was read */
export async function notePoll(
  db: OauthDb,
  { id, polled_at, interval_seconds }: PolledGrant,
  polled: Pick<DeviceGrantTable, 'polled_at' | 'interval_seconds'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('device_grant')
    .set(polled)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('polled_at', 'is not distinct from', polled_at)
    .where('interval_seconds', '=', interval_seconds)
    .where(sql.raw<boolean>(withoutWaiting.text))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Removes grants that ended before a given time; until then, a late poll learns that the code has expired. */
export const sweepGrants = (db: OauthDb, endedBefore: Date) =>
  db.deleteFrom('device_grant').where('expires_at', '<', endedBefore).execute()
