import { sql } from 'kysely'
import { type Receipt, receiptAt } from '../domain/receipt.ts'
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
 * Ends a call once, in one trip: releases its hold and adds its cost at every level, and moves what a balance pays in the
 * ledger. The call's receipt is the next of its key.
 * @returns the receipt; undefined for a call that is settled already or unknown, and nothing changes
 * @throws RangeError for a cost below zero or above what was held; nothing changes
 */
export async function settle(db: RouterDb, callId: string, settlement: Settlement): Promise<Receipt | undefined> {
  const due = { ...settlement, callId }
  refuseBelowZero(due)
  return receiptOf(await settleCall(db, due), due)
}

/** A call and how it ended. */
export interface Due extends Settlement {
  readonly callId: string
}

/**
 * The same for calls that end at once, in one transaction and in their order.
 * @returns for each its receipt, or why it has none: undefined as above, a RangeError
 * @throws the database's error when one of them cannot be settled, or a row of others is waited for longer than 100 ms (55P03); then none is
 */
export async function settleAll(db: RouterDb, calls: readonly Due[]): Promise<(Receipt | RangeError | undefined)[]> {
  for (const due of calls) refuseBelowZero(due)
  const asked = JSON.stringify(calls.map(rowOf))
  const { rows } = await sql<Found & { readonly place: number }>`
    select place, ${FOUND} from settle_calls(${asked}::json)`.execute(db)
  const found = new Map(rows.map((row) => [row.place, row]))
  return calls.map((due, place) => {
    try {
      return receiptOf(found.get(place), due)
    } catch (error) {
      return error as RangeError
    }
  })
}

function refuseBelowZero({ callId, cost }: Due): void {
  if (cost < 0n) throw new RangeError(`call ${callId} cannot cost ${cost}`)
}

/** @throws RangeError for a cost above what was held */
function receiptOf(found: Found | undefined, { callId, cost }: Due): Receipt | undefined {
  if (found?.state !== 'held') return undefined
  const { amount, facts, seq, previous } = found
  if (facts === null) throw new RangeError(`call ${callId} holds ${amount} and cannot cost ${cost}`)
  return receiptAt(facts, { seq: Number(seq), previous })
}

interface Found {
  /** Before this settlement. */
  readonly state: 'held' | 'settled'
  readonly amount: string
  /** Of the receipt; null where nothing was due. */
  readonly facts: string | null
  readonly seq: string
  readonly previous: string | null
}

const FOUND = sql`was as state, amount::text, facts, seq::text, encode(previous, 'hex') as previous`

async function settleCall(db: RouterDb, due: Due): Promise<Found | undefined> {
  const { callId, cost, usage, estimated, ending, upstream, now } = due
  const { rows } = await sql<Found>`
    select ${FOUND}
    from settle_call(${callId}, ${cost}, ${ending}, ${estimated}, ${upstream ?? null}, ${now},
      ${usage?.inputTokens ?? null}, ${usage?.outputTokens ?? null}, ${usage?.cacheReadTokens ?? null},
      ${usage?.cacheWriteTokens ?? null}, ${usage?.reasoningTokens ?? null})`.execute(db)
  return rows[0]
}

/** A call as `settle_calls` takes it. */
const rowOf = ({ callId, cost, usage, estimated, ending, upstream, now }: Due, place: number) => ({
  ...{ place, asked_call: callId, cost: String(cost), of_ending: ending, is_estimated: estimated },
  ...{ of_upstream: upstream ?? null, at: now, input: usage?.inputTokens, output: usage?.outputTokens },
  ...{ cache_read: usage?.cacheReadTokens, cache_write: usage?.cacheWriteTokens, reasoning: usage?.reasoningTokens },
})
