import { sql } from 'kysely'
import type { RouterDb } from './tables.ts'

/** The public half of a key that signs receipts. */
export interface ReceiptKey {
  readonly kid: string
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
}

/** Records a key that is about to sign, unless it is known: a key that has signed is never forgotten. */
export async function noteReceiptKey(db: RouterDb, { kid, publicKey }: ReceiptKey, now: Date): Promise<void> {
  await sql`
    insert into receipt_key (kid, public_key, first_used_at) values (${kid}, ${publicKey}, ${now})
    on conflict do nothing`.execute(db)
}

/** All keys that signed receipts, latest first. */
export const receiptKeys = (db: RouterDb): Promise<ReceiptKey[]> =>
  db
    .selectFrom('receipt_key')
    .select(['kid', 'public_key as publicKey'])
    .orderBy('first_used_at', 'desc')
    .orderBy('kid')
    .execute()
