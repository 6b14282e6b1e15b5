import { SqlText, statement } from '@callboard/store'
import { type Receipt, receiptAt } from '../domain/receipt.ts'
import type { RouterDb } from './tables.ts'

/** Tokens as counted by the upstream; those read from and written to its cache are part of the input. */
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
  /** Absent if unknown. */
  readonly usage?: TokenUsage | undefined
  /** Whether the cost is our bound or count rather than the upstream's usage. */
  readonly estimated: boolean
  readonly ending: string
  /** The upstream that answered; absent if the call reached none. */
  readonly upstream?: string | undefined
  readonly now: Date
}

/**
 * Ends a call once, in one trip: releases its hold, adds its cost at every level, and moves in the ledger what a
 * balance pays. The call's receipt is the next in its key's chain.
 * @returns the receipt; undefined, with nothing changed, if the call is unknown or already settled
 * @throws RangeError for a cost below zero or above what was held; nothing changes
 */
export async function settle(db: RouterDb, callId: string, settlement: Settlement): Promise<Receipt | undefined> {
  const due = { ...settlement, callId }
  refuseBelowZero(due)
  return receiptOf(await settleCall(db, due), due)
}

/** A call, and how it ended. */
export interface Due extends Settlement {
  readonly callId: string
}

/**
 * The same for calls that end together, in one transaction and in order.
 * @returns for each its receipt, or why it has none: undefined as above, or a RangeError
 * @throws the database's error if one of them cannot be settled, or waits longer than 100 ms for a row lock (55P03);
 * then none is settled
 */
export async function settleAll(db: RouterDb, calls: readonly Due[]): Promise<(Receipt | RangeError | undefined)[]> {
  for (const due of calls) refuseBelowZero(due)
  const asked = JSON.stringify(calls.map(rowOf))
  const { rows } = await statement<Found & { readonly place: number }>`
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
  /** Facts of the receipt; null if none was due. */
  readonly facts: string | null
  readonly seq: string
  readonly previous: string | null
}

const FOUND = new SqlText(`was as state, amount::text, facts, seq::text, encode(previous, 'hex') as previous`)

async function settleCall(db: RouterDb, due: Due): Promise<Found | undefined> {
  const { callId, cost, usage, estimated, ending, upstream, now } = due
  const { rows } = await statement<Found>`
    select ${FOUND}
    from settle_call(${callId}, ${cost}, ${ending}, ${estimated}, ${upstream ?? null}, ${now},
      ${usage?.inputTokens ?? null}, ${usage?.outputTokens ?? null}, ${usage?.cacheReadTokens ?? null},
      ${usage?.cacheWriteTokens ?? null}, ${usage?.reasoningTokens ?? null})`.execute(db)
  return rows[0]
}

/** A call in the form that `settle_calls` takes. */
const rowOf = ({ callId, cost, usage, estimated, ending, upstream, now }: Due, place: number) => ({
  ...{ place, asked_call: callId, cost: String(cost), of_ending: ending, is_estimated: estimated },
  ...{ of_upstream: upstream ?? null, at: now, input: usage?.inputTokens, output: usage?.outputTokens },
  ...{ cache_read: usage?.cacheReadTokens, cache_write: usage?.cacheWriteTokens, reasoning: usage?.reasoningTokens },
})
