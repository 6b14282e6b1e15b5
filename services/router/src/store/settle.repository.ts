import { sql } from 'kysely'
import { type Receipt, receiptAt } from '../domain/receipt.ts'
import { receiptFacts, receiptText } from './receipt-text.ts'
import type { RouterDb } from './tables.ts'

/** Tokens as the upstream counts them; those read from and written to its cache are part of the input. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly reasoningTokens: number
}

/** How a call ended. */
export interface Settlement {
  /** Nano-USD, at most what was held. */
  readonly cost: bigint
  /** Absent where it is unknown. */
  readonly usage?: TokenUsage | undefined
  /** Whether the cost is our bound or count rather than the upstream's usage. */
  readonly estimated: boolean
  readonly ending: string
  /** Who answered; absent where the call reached no upstream. */
  readonly upstream?: string | undefined
  readonly now: Date
}

/**
 * Ends a call once: releases its hold and adds its cost at every level, and moves what a balance pays in the ledger. One
 * statement. A budget that has gone on to another day is left alone: it has forgotten the hold, and the cost is of its day.
 * The call's receipt is the next of its key: settlements of one key wait for each other at the row of its last one.
 * @returns the receipt; undefined for a call that is settled already or unknown, and nothing changes
 * @throws RangeError for a cost below zero or above what was held; nothing changes
 */
export async function settle(db: RouterDb, callId: string, settlement: Settlement): Promise<Receipt | undefined> {
  const { cost } = settlement
  if (cost < 0n) throw new RangeError(`call ${callId} cannot cost ${cost}`)
  const found = await settleWhatIsDue(db, callId, settlement)
  if (found?.state !== 'held') return undefined
  const { amount, facts, seq, previous } = found
  if (cost > BigInt(amount)) throw new RangeError(`call ${callId} holds ${amount} and cannot cost ${cost}`)
  return receiptAt(facts, { seq: Number(seq), previous })
}

interface Found {
  /** Before this settlement. */
  readonly state: 'held' | 'settled'
  readonly amount: string
  /** Of the receipt; null where nothing was due. */
  readonly facts: string
  readonly seq: string
  readonly previous: string | null
}

/**
 * Takes its rows in the order call, key, balance, budgets of owner, link and key, as `hold` does, with `wanted` materialized
 * as there; and the row of the key's last receipt after them. `on conflict do update` reads that row as it is after the
 * settlement that it waited for, which no other part of a statement does.
 */
async function settleWhatIsDue(db: RouterDb, callId: string, settlement: Settlement) {
  const { cost, usage, estimated, ending, upstream, now } = settlement
  const { rows } = await sql<Found>`
    with found as (
      select call_id, key_id, owner, link_id, source, day, amount_nano, from_paid_in, state, model, price_version, surface, created_at
      from call where call_id = ${callId} for no key update
    ), due as (
      select call_id, key_id, owner, link_id, source, day, amount_nano, from_paid_in, model, price_version, surface, created_at,
             ${cost}::bigint as cost_nano, ${upstream ?? null}::text as upstream, ${estimated}::boolean as estimated,
             ${ending}::text as ending, ${now}::timestamptz as settled_at,
             ${usage?.inputTokens ?? null}::integer as input_tokens, ${usage?.outputTokens ?? null}::integer as output_tokens,
             ${usage?.cacheReadTokens ?? null}::integer as cache_read_tokens,
             ${usage?.cacheWriteTokens ?? null}::integer as cache_write_tokens,
             ${usage?.reasoningTokens ?? null}::integer as reasoning_tokens
      from found where state = 'held' and amount_nano >= ${cost}::bigint
    ), holder as (
      select router_key.id from due join router_key on router_key.id = due.key_id for no key update of router_key
    ), wanted as materialized (
      select 2 as place, 'owner:' || owner as subject, day from due where source = 'compute'
      union all
      select 3, 'link:' || link_id, day from due where source = 'compute' and link_id is not null
      union all
      select 4, 'key:' || key_id, day from due
    ), fund as (
      select balance.owner from due join balance on balance.owner = due.owner
      where due.source = 'balance' and (select count(*) from holder) >= 0 for no key update of balance
    ), stored as (
      select budget.subject from wanted join budget on budget.subject = wanted.subject and budget.day = wanted.day
      where (select count(*) from holder) >= 0 and (select count(*) from fund) >= 0
      order by wanted.place for no key update of budget
    ), told as (
      select due.key_id, ${receiptFacts('due')} as facts from due where (select count(*) from stored) >= 0
    ), chained as (
      insert into receipt_chain as last (key_id, seq, previous, hash, facts)
      select key_id, 1, null, ${hashOf({ facts: sql`facts`, seq: sql`1`, previous: sql`null::bytea` })}, facts from told
      on conflict (key_id) do update
      set seq = last.seq + 1, previous = last.hash, facts = excluded.facts,
          hash = ${hashOf({ facts: sql`excluded.facts`, seq: sql`last.seq + 1`, previous: sql`last.hash` })}
      returning seq, previous, hash, facts
    ), budgets_settled as (
      update budget set held_nano = budget.held_nano - due.amount_nano, spent_nano = budget.spent_nano + due.cost_nano
      from due cross join stored where budget.subject = stored.subject
    ), balance_settled as (
      update balance set held_nano = balance.held_nano - due.amount_nano, spent_nano = balance.spent_nano + due.cost_nano
      from due cross join fund where balance.owner = fund.owner
    ), key_released as (
      update router_key
      set under_way = greatest(router_key.under_way - 1, 0),
          paid_in_held_nano = router_key.paid_in_held_nano - case when due.from_paid_in then due.amount_nano else 0 end,
          paid_in_spent_nano = router_key.paid_in_spent_nano + case when due.from_paid_in then due.cost_nano else 0 end
      from due where router_key.id = due.key_id
    ), call_settled as (
      update call
      set state = 'settled', cost_nano = due.cost_nano, upstream = due.upstream, estimated = due.estimated,
          ending = due.ending, settled_at = due.settled_at, input_tokens = due.input_tokens,
          output_tokens = due.output_tokens, cache_read_tokens = due.cache_read_tokens,
          cache_write_tokens = due.cache_write_tokens, reasoning_tokens = due.reasoning_tokens,
          receipt_seq = chained.seq, receipt_previous = chained.previous, receipt_hash = chained.hash
      from due cross join chained where call.call_id = due.call_id
    ), transfer as (
      insert into ledger_transfer (kind, reference, created_at)
      select 'usage', 'call:' || call_id, settled_at from due where source = 'balance' and cost_nano > 0
      returning id
    ), entries as (
      insert into ledger_entry (transfer_id, account_id, amount_nano)
      select transfer.id, side.account_id, side.amount_nano
      from transfer cross join due
      cross join lateral (values ('owner:' || due.owner, - due.cost_nano), ('usage', due.cost_nano))
        as side (account_id, amount_nano)
    )
    select found.state, found.amount_nano::text as amount, chained.facts, chained.seq::text as seq,
           encode(chained.previous, 'hex') as previous
    from found left join chained on true`.execute(db)
  return rows[0]
}

const hashOf = (receipt: Parameters<typeof receiptText>[0]) => sql`sha256(convert_to(${receiptText(receipt)}, 'UTF8'))`
