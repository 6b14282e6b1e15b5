import { type Statement, statement } from '@callboard/store'
import type { Address, Caip2 } from '@callboard/values'
import type { FacilitatorTx } from './tables.ts'

/** Records the newest snapshot of a listing. @returns false when a newer one was seen */
export async function noteListing(tx: FacilitatorTx, slug: string, version: number): Promise<boolean> {
  const { numAffectedRows } = await statement`
    insert into listing (slug, version) values (${slug}, ${version})
    on conflict (slug) do update set version = excluded.version where listing.version < excluded.version`.execute(tx)
  return numAffectedRows === 1n
}

export interface Payee {
  readonly network: Caip2
  readonly address: Address
}

/** Sets the known payees of a listing; none where it is not live. */
export async function setPayees(tx: FacilitatorTx, slug: string, payees: readonly Payee[]): Promise<void> {
  await tx.deleteFrom('known_payee').where('slug', '=', slug).execute()
  if (payees.length === 0) return
  await tx
    .insertInto('known_payee')
    .values(payees.map(({ network, address }) => ({ network, address, slug })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Which of some addresses are payees of live listings. */
export const knownPayees = (network: Caip2, addresses: readonly Address[]): Statement<Set<Address>> =>
  statement<{ address: Address }>`
    select distinct address from known_payee
    where network = ${network} and address = any(${addresses}::text[])`.as(
    ({ rows }) => new Set(rows.map(({ address }) => address)),
  )
