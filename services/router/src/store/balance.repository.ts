import type { Address } from '@callboard/values'
import { sql } from 'kysely'
import type { RouterDb } from './tables.ts'

/** What an owner bought, and how much of it is spent or held by calls in flight; nano-USD. */
export interface Balance {
  readonly purchased: bigint
  readonly spent: bigint
  readonly held: bigint
}

/** An owner's balance; undefined for an owner that never bought. */
export async function findBalance(db: RouterDb, owner: Address): Promise<Balance | undefined> {
  const { rows } = await sql<{ purchased: string; spent: string; held: string }>`
    select purchased_nano::text as purchased, spent_nano::text as spent, held_nano::text as held
    from balance where owner = ${owner}`.execute(db)
  const [row] = rows
  return row && { purchased: BigInt(row.purchased), spent: BigInt(row.spent), held: BigInt(row.held) }
}
