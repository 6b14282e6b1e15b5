import type { Address, Caip2 } from '@callboard/values'
import { sql } from 'kysely'
import type { RouterDb, RouterTx } from './tables.ts'

/** A payment received for an owner's balance. */
export interface Payment {
  /** `network:asset:from:nonce` of its authorization. */
  readonly paymentKey: string
  readonly owner: Address
  /** Nano-USD. */
  readonly amount: bigint
  readonly network: Caip2
  readonly asset: string
  readonly now: Date
}

/**
 * Adds a payment to its owner's balance, exactly once: a transfer from `received:NETWORK:ASSET` to `owner:0x…`. Of two
 * concurrent ones, one waits for the other's commit.
 * @returns false for a payment that was credited before; nothing changes
 * @throws RangeError for an amount that is not above zero
 */
export async function credit(tx: RouterTx, payment: Payment): Promise<boolean> {
  const { paymentKey, owner, amount, network, asset, now } = payment
  if (amount <= 0n) throw new RangeError(`payment ${paymentKey} cannot credit ${amount}`)
  const [receivedId, ownerId] = [`received:${network}:${asset}`, `owner:${owner}`]
  const { rows } = await sql`
    with transfer as (
      insert into ledger_transfer (kind, reference, created_at)
      values ('top_up', ${`payment:${paymentKey}`}, ${now})
      on conflict (reference) do nothing returning id
    ), side as (
      select transfer.id, account_id, amount_nano
      from transfer cross join (values (${ownerId}, ${amount}::bigint), (${receivedId}, - ${amount}::bigint))
        as side (account_id, amount_nano)
    ), accounts as (
      insert into ledger_account (id) select account_id from side order by account_id on conflict do nothing
    ), entries as (
      insert into ledger_entry (transfer_id, account_id, amount_nano) select id, account_id, amount_nano from side
    ), filled as (
      insert into balance (owner, purchased_nano, spent_nano, held_nano)
      select ${owner}, ${amount}::bigint, 0, 0 from transfer
      on conflict (owner) do update set purchased_nano = balance.purchased_nano + excluded.purchased_nano
    )
    select id from transfer`.execute(tx)
  return rows.length === 1
}

/**
 * Lists contradictions in the ledger, in words; empty if all is right: transfers that do not sum to zero, entries of
 * unknown accounts, owners with a negative balance, balances that differ from their entries or from the calls that hold
 * part of them, budgets that differ from the calls of their day, and keys whose calls under way or spending of paid-in
 * money differ from their calls. It reads everything: for tests and the operator, not for calls.
 */
export async function ledgerFaults(db: RouterDb): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    select 'transfer ' || transfer.reference || ' sums to ' || coalesce(sum(entry.amount_nano)::text, 'nothing') as fault
    from ledger_transfer transfer left join ledger_entry entry on entry.transfer_id = transfer.id
    group by transfer.id, transfer.reference having sum(entry.amount_nano) is distinct from 0
    union all
    select 'entry of ' || account_id || ', which is no account'
    from ledger_entry where account_id not in (select id from ledger_account) group by account_id
    union all
    select 'balance of ' || account_id || ' is ' || sum(amount_nano)
    from ledger_entry where account_id like 'owner:%' group by account_id having sum(amount_nano) < 0
    union all
    ${BALANCE_FAULTS}
    union all
    ${BUDGET_FAULTS}
    union all
    ${KEY_FAULTS}`.execute(db)
  return rows.map(({ fault }) => fault)
}

const BALANCE_FAULTS = sql`
  select 'balance of ' || owner || ' has ' || concat_ws(', ', balance.purchased, balance.spent, balance.held)
         || ' and its entries and calls ' || concat_ws(', ', booked.purchased, booked.spent, booked.held)
  from (select owner, purchased_nano::numeric as purchased, spent_nano::numeric as spent, held_nano::numeric as held
        from balance) balance
  full join (
    select owner, sum(purchased) as purchased, sum(spent) as spent, sum(held) as held
    from (select substr(account_id, length('owner:') + 1) as owner,
                 case kind when 'top_up' then amount_nano else 0 end as purchased,
                 case kind when 'usage' then - amount_nano else 0 end as spent, 0 as held
          from ledger_entry join ledger_transfer on ledger_transfer.id = transfer_id where account_id like 'owner:%'
          union all
          select owner, 0, 0, amount_nano from call where state = 'held' and source = 'balance') movement
    group by owner) booked using (owner)
  where (coalesce(balance.purchased, 0), coalesce(balance.spent, 0), coalesce(balance.held, 0))
        is distinct from (coalesce(booked.purchased, 0), coalesce(booked.spent, 0), coalesce(booked.held, 0))`

const BUDGET_FAULTS = sql`
  select 'budget of ' || subject || ' has ' || concat_ws(', ', spent_nano, held_nano) || ' and its calls '
         || concat_ws(', ', counted.spent, counted.held)
  from budget cross join lateral (
    select coalesce(sum(cost_nano), 0) as spent, coalesce(sum(amount_nano) filter (where state = 'held'), 0) as held
    from call
    where call.day = budget.day
      and (subject = 'key:' || key_id
           or source = 'compute' and (subject = 'owner:' || owner or subject = 'link:' || link_id))) counted
  where (spent_nano, held_nano) is distinct from (counted.spent, counted.held)`

const KEY_FAULTS = sql`
  select 'key ' || id || ' has ' || concat_ws(', ', under_way, paid_in_spent_nano, paid_in_held_nano) || ' and its calls '
         || concat_ws(', ', counted.held, counted.paid_in_spent, counted.paid_in_held)
  from router_key cross join lateral (
    select count(*) filter (where state = 'held') as held,
           coalesce(sum(cost_nano) filter (where from_paid_in), 0) as paid_in_spent,
           coalesce(sum(amount_nano) filter (where from_paid_in and state = 'held'), 0) as paid_in_held
    from call where call.key_id = router_key.id) counted
  where (under_way, paid_in_spent_nano, paid_in_held_nano) is distinct from (counted.held, counted.paid_in_spent, counted.paid_in_held)`
