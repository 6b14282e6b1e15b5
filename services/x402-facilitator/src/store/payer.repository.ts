import type { Address, Caip2 } from '@callboard/values'
import { sql } from 'kysely'
import { IN_FLIGHT_STATES } from '../domain/payment-state.ts'
import type { FacilitatorDb, FacilitatorTx, Payment } from './tables.ts'

/** Makes the transactions that reserve money of one payer happen one after another, until the transaction ends. */
export const lockPayer = (tx: FacilitatorTx, { network, asset, payer }: Payment) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`${network}/${asset}/${payer}`}, 0))`.execute(tx)

/** Base units of one payer that our unfinished transactions move. */
export async function inFlightAmount(
  db: FacilitatorDb,
  network: Caip2,
  asset: Address,
  payer: Address,
): Promise<bigint> {
  const { total } = await db
    .selectFrom('payment')
    .select(sql<string>`coalesce(sum(amount), 0)`.as('total'))
    .where('network', '=', network)
    .where('asset', '=', asset)
    .where('payer', '=', payer)
    .where('state', 'in', IN_FLIGHT_STATES)
    .executeTakeFirstOrThrow()
  return BigInt(total)
}

/** How many payments of one payer were sent and came to nothing since a moment. */
export async function revertsSince(db: FacilitatorDb, { network, payer }: Payment, since: Date): Promise<number> {
  const { reverts } = await db
    .selectFrom('payment')
    .select(({ fn }) => fn.countAll<number>().as('reverts'))
    .where('network', '=', network)
    .where('payer', '=', payer)
    .where('state', 'in', ['reverted', 'failed'])
    .where('updated_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(reverts)
}
