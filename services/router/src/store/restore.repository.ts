import type { Address } from '@callboard/values'
import { sql } from 'kysely'
import type { RouterDb, RouterTx } from './tables.ts'

/** The number of keys and wallet rows that can make calls. */
export const liveKeys = async (db: RouterDb): Promise<number> => {
  const { live } = await db
    .selectFrom('router_key')
    .select(({ fn }) => fn.countAll<number>().as('live'))
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(live)
}

/**
 * Ends every key. A wallet's row gives up its hash, so that the wallet's next call starts a new row: no receipt
 * continues a chain that was signed in the lost time.
 * @returns how many
 */
export async function endAllKeys(tx: RouterTx, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update router_key set ended_at = ${now},
      hash = case kind when 'wallet' then sha256(hash || convert_to(id, 'UTF8')) else hash end
    where ended_at is null`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/**
 * Ends the calls that were under way, free and without a receipt: the next of their key was signed in the lost time.
 * Nothing else holds money, and nothing runs that could.
 * @returns how many
 */
export async function releaseHolds(tx: RouterTx, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update call set state = 'settled', cost_nano = 0, estimated = false, ending = 'lost', settled_at = ${now}
    where state = 'held'`.execute(tx)
  await sql`
    update router_key set under_way = 0, paid_in_held_nano = 0 where under_way > 0 or paid_in_held_nano > 0`.execute(tx)
  await sql`update balance set held_nano = 0 where held_nano > 0`.execute(tx)
  await sql`update budget set held_nano = 0 where held_nano > 0`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** A payment that was recorded before it was settled. */
export interface Noted {
  readonly fingerprint: string
  readonly owner: Address
  readonly keyId: string | null
}

/** What a payment was presented for, as far as that was recorded. */
export const notedFor = (db: RouterDb, paymentKey: string): Promise<Noted[]> =>
  db
    .selectFrom('top_up')
    .select(['fingerprint', 'owner', 'key_id as keyId'])
    .where('payment_key', '=', paymentKey)
    .orderBy('created_at')
    .execute()

export const isCredited = async (db: RouterDb, paymentKey: string): Promise<boolean> =>
  (await db
    .selectFrom('ledger_transfer')
    .select('id')
    .where('reference', '=', `payment:${paymentKey}`)
    .executeTakeFirst()) !== undefined
