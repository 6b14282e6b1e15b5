import { sql } from 'kysely'
import type { RouterDb } from './tables.ts'

/** The public half of a key that signs receipts. */
export interface ReceiptKey {
  readonly kid: string
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
}

/** Notes a key that is going to sign, unless it is known: no key that signed is ever forgotten. */
export async function noteReceiptKey(db: RouterDb, { kid, publicKey }: ReceiptKey, now: Date): Promise<void> {
  await sql`
    insert into receipt_key (kid, public_key, first_used_at) values (${kid}, ${publicKey}, ${now})
    on conflict do nothing`.execute(db)
}

/** Every key that signed receipts, the latest first. */
export const receiptKeys = (db: RouterDb): Promise<ReceiptKey[]> =>
  db
    .selectFrom('receipt_key')
    .select(['kid', 'public_key as publicKey'])
    .orderBy('first_used_at', 'desc')
    .orderBy('kid')
    .execute()
