import type { Address } from '@callboard/values'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ListingsTx } from './tables.ts'

/** Locks names until the commit, so that of two concurrent listings one sees the other. */
export async function lockLimits(tx: ListingsTx, names: readonly string[]): Promise<void> {
  for (const name of [...new Set(names)].sort()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`listings:limit:${name}`}, 0))`.execute(tx)
  }
}

/** How many other listings an owner holds, drafts included. */
export const heldBy = (tx: ListingsTx, owner: Address, beside: string): Promise<number> =>
  count(tx, sql<SqlBool>`owner = ${owner} and slug <> ${beside}`)

/** How many other listings are on a site: those whose every endpoint pays their splitter, or the rest. */
export const heldOn = (tx: ListingsTx, site: string, payingItself: boolean, beside: string): Promise<number> =>
  count(
    tx,
    sql<SqlBool>`sites @> array[${site}] and slug <> ${beside} and ${payingItself} = not exists (
      select from jsonb_array_elements(operations) one
      where one -> 'payment' ->> 'payTo' is distinct from splitter_address)`,
  )

async function count(tx: ListingsTx, condition: RawBuilder<SqlBool>): Promise<number> {
  const { held } = await tx
    .selectFrom('listing')
    .select(({ fn }) => fn.countAll<number>().as('held'))
    .where('withdrawn_at', 'is', null)
    .where(condition)
    .executeTakeFirstOrThrow()
  return held
}
