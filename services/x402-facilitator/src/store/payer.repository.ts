import { noStatement, type Statement, statement } from '@callboard/store'
import type { Address, Caip2 } from '@callboard/values'
import { RESERVED_STATES } from '../domain/payment-state.ts'
import type { PayerExposure } from '../domain/reservation.ts'
import { statesText } from './states-text.ts'
import type { Payment } from './tables.ts'

const reserved = statesText(RESERVED_STATES)

/**
 * Serializes, over all replicas and until the transaction ends, the transactions that reserve gas of one network and
 * money of the same payers: what is read after this is still true at commit. The network is locked first and the payers
 * in order, so that two transactions do not deadlock; the payers are locked for replicas of a release without gas
 * budgets.
 */
export function lockSigning(network: Caip2, payments: readonly Pick<Payment, 'asset' | 'payer'>[]): Statement<unknown> {
  const payers = new Set(payments.map(({ asset, payer }) => `${network}/${asset}/${payer}`))
  const keys = [`${network}/gas`, ...[...payers].sort()]
  return statement`select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${keys}::text[]) as key`
}

/**
 * Reads what payers' earlier payments imply for their next ones, as of one moment. A payment that an old replica signed
 * counts as one.
 * @param since from when on failed payments count
 */
export const payerExposures = (
  network: Caip2,
  asset: Address,
  payers: readonly Address[],
  since: Date,
): Statement<Map<Address, PayerExposure>> =>
  statement<Record<Exclude<keyof PayerExposure, 'credit'>, string> & { payer: Address; credit: number }>`
    select wanted.payer, under_way.reserved, under_way.exposed as "inFlight", coalesce(payer_credit.credit, 0) as credit,
      coalesce(1000 * extract(epoch from clock_timestamp() - payer_credit.debited_at), 'infinity') as "sinceDebitMs",
      (select coalesce(sum(coalesce(exposure, 1)), 0) from payment
        where network = ${network} and payer = wanted.payer
          and state in ('reverted', 'failed') and updated_at > ${since}) as wasted
    from unnest(${payers}::text[]) as wanted (payer)
    cross join lateral (
      select coalesce(sum(amount), 0) as reserved, coalesce(sum(coalesce(exposure, 1)), 0) as exposed from payment
      where network = ${network} and asset = ${asset} and payer = wanted.payer and state in (${reserved})
    ) as under_way
    left join payer_credit on payer_credit.network = ${network} and payer_credit.payer = wanted.payer`.as(
    ({ rows }) =>
      new Map(
        rows.map(({ payer, reserved, inFlight, wasted, credit, sinceDebitMs }) => [
          payer,
          {
            ...{ reserved: BigInt(reserved), inFlight: Number(inFlight), wasted: Number(wasted) },
            ...{ credit, sinceDebitMs: Number(sinceDebitMs) },
          },
        ]),
      ),
  )

/** What the outcomes of payments change for their payer. */
export interface PayerChange {
  readonly payer: Address
  /** The credit that they gave it, or took from it. */
  readonly credit: number
  /** Whether they moved its money. */
  readonly isDebited: boolean
}

/** Books outcomes on payers of one network, each at most once. The credit stays between 0 and `most`. */
export function bookOnPayers(network: Caip2, changes: readonly PayerChange[], most: number): Statement<unknown> {
  if (changes.length === 0) return noStatement(undefined)
  const booked = JSON.stringify(changes)
  return statement`
    insert into payer_credit (network, payer, credit, debited_at)
    select ${network}, payer, least(${most}::integer, greatest(0, credit)), case when "isDebited" then clock_timestamp() end
    from json_to_recordset(${booked}::json) as booked (payer text, credit integer, "isDebited" boolean)
    order by payer
    on conflict (network, payer) do update set
      debited_at = coalesce(excluded.debited_at, payer_credit.debited_at),
      credit = least(${most}::integer, greatest(0, payer_credit.credit +
        (select booked.credit from json_to_recordset(${booked}::json) as booked (payer text, credit integer)
          where booked.payer = payer_credit.payer)))`
}
