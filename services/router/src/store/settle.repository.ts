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
  const { cost } = settlement
  if (cost < 0n) throw new RangeError(`call ${callId} cannot cost ${cost}`)
  const found = await settleCall(db, callId, settlement)
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

async function settleCall(db: RouterDb, callId: string, settlement: Settlement): Promise<Found | undefined> {
  const { cost, usage, estimated, ending, upstream, now } = settlement
  const { rows } = await sql<Found>`
    select was as state, amount::text, facts, seq::text, encode(previous, 'hex') as previous
    from settle_call(${callId}, ${cost}, ${ending}, ${estimated}, ${upstream ?? null}, ${now},
      ${usage?.inputTokens ?? null}, ${usage?.outputTokens ?? null}, ${usage?.cacheReadTokens ?? null},
      ${usage?.cacheWriteTokens ?? null}, ${usage?.reasoningTokens ?? null})`.execute(db)
  return rows[0]
}
