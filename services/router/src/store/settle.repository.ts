import { sql } from 'kysely'
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
 * @returns false for a call that is settled already or unknown; nothing changes
 * @throws RangeError for a cost below zero or above what was held; nothing changes
 */
export async function settle(db: RouterDb, callId: string, settlement: Settlement): Promise<boolean> {
  const { cost } = settlement
  if (cost < 0n) throw new RangeError(`call ${callId} cannot cost ${cost}`)
  const before = await settleWhatIsDue(db, callId, settlement)
  if (before?.state !== 'held') return false
  if (cost > BigInt(before.amount))
    throw new RangeError(`call ${callId} holds ${before.amount} and cannot cost ${cost}`)
  return true
}

/**
 * Takes its rows in the order call, balance, owner, link, key, as `hold` does, with `wanted` materialized as there.
 * @returns the call as it was before
 */
async function settleWhatIsDue(db: RouterDb, callId: string, settlement: Settlement) {
  const { cost, usage, estimated, ending, upstream, now } = settlement
  const { rows } = await sql<{ state: 'held' | 'settled'; amount: string }>`
    with found as (
      select call_id, key_id, owner, link_id, source, day, amount_nano, state
      from call where call_id = ${callId} for no key update
    ), due as (
      select call_id, key_id, owner, link_id, source, day, amount_nano, ${cost}::bigint as cost_nano
      from found where state = 'held' and amount_nano >= ${cost}::bigint
    ), wanted as materialized (
      select 2 as place, 'owner:' || owner as subject, day from due where source = 'compute'
      union all
      select 3, 'link:' || link_id, day from due where source = 'compute' and link_id is not null
      union all
      select 4, 'key:' || key_id, day from due
    ), fund as (
      select balance.owner from due join balance on balance.owner = due.owner
      where due.source = 'balance' for no key update of balance
    ), stored as (
      select budget.subject from wanted join budget on budget.subject = wanted.subject and budget.day = wanted.day
      where (select count(*) from fund) >= 0
      order by wanted.place for no key update of budget
    ), budgets_settled as (
      update budget set held_nano = budget.held_nano - due.amount_nano, spent_nano = budget.spent_nano + due.cost_nano
      from due cross join stored where budget.subject = stored.subject
    ), balance_settled as (
      update balance set held_nano = balance.held_nano - due.amount_nano, spent_nano = balance.spent_nano + due.cost_nano
      from due cross join fund where balance.owner = fund.owner
    ), call_settled as (
      update call
      set state = 'settled', cost_nano = due.cost_nano, upstream = ${upstream ?? null}, estimated = ${estimated},
          ending = ${ending}, settled_at = ${now},
          input_tokens = ${usage?.inputTokens ?? null}, output_tokens = ${usage?.outputTokens ?? null},
          cache_read_tokens = ${usage?.cacheReadTokens ?? null},
          cache_write_tokens = ${usage?.cacheWriteTokens ?? null},
          reasoning_tokens = ${usage?.reasoningTokens ?? null}
      from due where call.call_id = due.call_id
    ), transfer as (
      insert into ledger_transfer (kind, reference, created_at)
      select 'usage', 'call:' || call_id, ${now}::timestamptz from due where source = 'balance' and cost_nano > 0
      returning id
    ), entries as (
      insert into ledger_entry (transfer_id, account_id, amount_nano)
      select transfer.id, side.account_id, side.amount_nano
      from transfer cross join due
      cross join lateral (values ('owner:' || due.owner, - due.cost_nano), ('usage', due.cost_nano))
        as side (account_id, amount_nano)
    )
    select state, amount_nano::text as amount from found`.execute(db)
  return rows[0]
}
