import type { Address, Caip2 } from '@callboard/values'
import { sql } from 'kysely'
import { IN_FLIGHT_STATES } from '../domain/payment-state.ts'
import type { PayerStanding } from '../domain/reservation.ts'
import type { FacilitatorTx } from './tables.ts'

const text = (values: readonly string[]) => sql`${[...values]}::text[]`

/**
 * Makes the transactions that reserve money of the same payers happen one after another, until the transaction ends.
 * The payers are locked in their order, so that two transactions do not wait for each other.
 */
export async function lockPayers(tx: FacilitatorTx, network: Caip2, asset: Address, payers: readonly Address[]) {
  const keys = payers.map((payer) => `${network}/${asset}/${payer}`).sort()
  await sql`select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${text(keys)}) as key`.execute(tx)
}

/**
 * What payers' earlier payments say of their next ones.
 * @param since from when on payments that came to nothing count
 */
export async function payerStandings(
  tx: FacilitatorTx,
  network: Caip2,
  asset: Address,
  payers: readonly Address[],
  since: Date,
): Promise<Map<Address, PayerStanding>> {
  const { rows } = await sql<{ payer: Address; reserved: string; reverts: number }>`
    select wanted.payer,
      (select coalesce(sum(amount), 0) from payment
        where network = ${network} and asset = ${asset} and payer = wanted.payer
          and state in (${sql.join(IN_FLIGHT_STATES.map((state) => sql.lit(state)))})) as reserved,
      (select count(*) from payment
        where network = ${network} and payer = wanted.payer
          and state in ('reverted', 'failed') and updated_at > ${since}) as reverts
    from unnest(${text(payers)}) as wanted (payer)`.execute(tx)
  return new Map(rows.map(({ payer, reserved, reverts }) => [payer, { reserved: BigInt(reserved), reverts }]))
}
