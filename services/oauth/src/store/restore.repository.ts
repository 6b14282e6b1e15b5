import { letStatementsTake } from '@callboard/store'
import { sql } from 'kysely'
import type { OauthDb, OauthTx, TokenFamilyTable } from './tables.ts'

/** More revocations than any owner makes in the time that a restore loses. */
const EPOCHS_APART = 1_000_000
/** Ending everything may take longer than a request. */
const WITHIN_MS = 600_000

export interface LiveCredentials {
  readonly sessions: number
  readonly keys: number
  readonly families: number
}

/** Counts the credentials that are valid. */
export async function liveCredentials(db: OauthDb): Promise<LiveCredentials> {
  const { rows } = await sql<LiveCredentials>`
    select (select count(*) from session) as sessions,
           (select count(*) from api_key where revoked_at is null) as keys,
           (select count(*) from token_family where revoked_at is null) as families`.execute(db)
  return rows[0] ?? { sessions: 0, keys: 0, families: 0 }
}

export interface EndedCredentials {
  readonly families: readonly Pick<TokenFamilyTable, 'id' | 'client_id' | 'owner'>[]
  readonly accounts: readonly { readonly owner: string; readonly epoch: number }[]
}

/** Ends every session, API key and token family, and whatever could become one: codes and pending grants. */
export async function endCredentials(tx: OauthTx, now: Date): Promise<EndedCredentials> {
  await letStatementsTake(tx, WITHIN_MS)
  await tx.deleteFrom('session').execute()
  await tx.deleteFrom('authorization_code').execute()
  await tx.updateTable('api_key').set({ revoked_at: now }).where('revoked_at', 'is', null).execute()
  await tx
    .updateTable('device_grant')
    .set({ state: 'denied', sealed: null })
    .where('state', 'in', ['pending', 'approved'])
    .execute()
  const families = await tx
    .updateTable('token_family')
    .set({ revoked_at: now, revoked_because: 'restored' })
    .where('revoked_at', 'is', null)
    .returning(['id', 'client_id', 'owner'])
    .execute()
  // Above every epoch that the gateways were shown in the lost time.
  const accounts = await tx
    .updateTable('account')
    .set({ epoch: sql<number>`epoch + ${sql.lit(EPOCHS_APART)}` })
    .returning(['owner', 'epoch'])
    .execute()
  return { families, accounts }
}
