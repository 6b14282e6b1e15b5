import { noStatement, type Statement, statement } from '@callboard/store'
import type { Caip2 } from '@callboard/values'
import type { GasUse } from '../domain/gas-book.ts'
import { type Account, accountKey, type Windows } from '../domain/gas-budget.ts'
import { RESERVED_STATES } from '../domain/payment-state.ts'
import { statesText } from './states-text.ts'
import type { FacilitatorDb } from './tables.ts'

const reserved = statesText(RESERVED_STATES)

/** Gas of an account: one row for payments on their way, one for burned gas. */
interface UsedRow extends Account {
  readonly underWay: boolean
  readonly spentHour: string
  readonly wastedHour: string
  readonly spentDay: string
  readonly wastedDay: string
}

/**
 * Reads what accounts of a network have used within the windows, and what is reserved for payments on their way, as of
 * one moment: exact within a transaction that holds the network's lock.
 * @param unknownGas the gas counted for a payment on its way that an old replica signed
 * @param floor base units below which a payment is dust, and not counted on its payee
 * @returns by `accountKey`
 */
export const gasUsed = (
  network: Caip2,
  accounts: readonly Account[],
  { from, unknownGas, floor }: { readonly from: Windows<Date>; readonly unknownGas: number; readonly floor: bigint },
): Statement<Map<string, GasUse>> =>
  statement<UsedRow>`
    select true as "underWay",
      case when grouping(payee) = 0 then 'payee' when grouping(origin) = 0 then 'requester'
        when grouping(sponsor) = 0 then 'owner' when grouping(new_payer) = 0 then new_payer else 'chain' end as scope,
      coalesce(payee, origin, sponsor, '') as subject,
      coalesce(sum(gas), 0) as "spentHour", coalesce(sum(gas) filter (where is_new), 0) as "wastedHour",
      0 as "spentDay", 0 as "wastedDay"
    from (
      select case when sponsor is null and amount >= ${String(floor)}::numeric then pay_to end as payee, origin, sponsor, new_payer,
        new_payer is not null as is_new, coalesce(gas_limit, ${unknownGas}::bigint) as gas
      from payment where network = ${network} and state in (${reserved})
    ) as under_way
    group by grouping sets ((), (payee), (origin), (sponsor), (new_payer))
    union all
    select false, scope, subject,
      coalesce(sum(spent) filter (where piece >= ${from.hour}), 0),
      coalesce(sum(wasted) filter (where piece >= ${from.hour}), 0), sum(spent), sum(wasted)
    from gas_spent
    join json_to_recordset(${JSON.stringify(accounts)}::json) as wanted (scope text, subject text) using (scope, subject)
    where network = ${network} and piece >= ${from.day}
    group by scope, subject`.as(({ rows }) => usesIn(rows, accounts))

function usesIn(rows: readonly UsedRow[], accounts: readonly Account[]): Map<string, GasUse> {
  const byKey = (isUnderWay: boolean) =>
    new Map(rows.filter(({ underWay }) => underWay === isUnderWay).map((row) => [accountKey(row), row]))
  const [onTheirWay, burned] = [byKey(true), byKey(false)]
  return new Map(
    accounts.map((account) => {
      const key = accountKey(account)
      const [now, past] = [onTheirWay.get(key), burned.get(key)]
      const use: GasUse = {
        hour: { spent: Number(past?.spentHour ?? 0), wasted: Number(past?.wastedHour ?? 0) },
        day: { spent: Number(past?.spentDay ?? 0), wasted: Number(past?.wastedDay ?? 0) },
        inFlight: { spent: Number(now?.spentHour ?? 0), wasted: Number(now?.wastedHour ?? 0) },
      }
      return [key, use]
    }),
  )
}

/** Gas burned on an account. */
export interface GasEntry extends Account {
  readonly spent: number
  readonly wasted: number
}

/** Books burned gas on accounts of one network, each once and in order, so that concurrent bookings do not deadlock. */
export const bookGas = (network: Caip2, entries: readonly GasEntry[], piece: Date): Statement<unknown> =>
  entries.length === 0
    ? noStatement(undefined)
    : statement`
    insert into gas_spent (network, scope, subject, piece, spent, wasted)
    select ${network}, scope, subject, ${piece}::timestamptz, spent, wasted
    from json_to_recordset(${JSON.stringify(entries)}::json) as booked (scope text, subject text, spent bigint, wasted bigint)
    order by scope, subject
    on conflict (network, scope, subject, piece) do update set
      (spent, wasted) = (gas_spent.spent + excluded.spent, gas_spent.wasted + excluded.wasted)`

/** Forgets what no window counts any longer. */
export const forgetGas = (db: FacilitatorDb, before: Date) =>
  db.deleteFrom('gas_spent').where('piece', '<', before).execute()
