import { SqlText, statement } from '@callboard/store'
import { dayOf } from '../domain/day.ts'
import type { RouterKey } from './key.repository.ts'
import { type Bound, boundsOf, type Level, type LevelRow } from './levels.ts'
import type { RouterDb } from './tables.ts'

export { type Settlement, settle, type TokenUsage } from './settle.repository.ts'

/** A call that requests admission. */
export interface Asked {
  readonly callId: string
  /** SHA-256 of the key's secret. */
  readonly keyHash: Uint8Array
  /** The least that must be held; nano-USD. */
  readonly least: bigint
  /** The most that it can cost; up to this, as much is held as every level has left. */
  readonly most: bigint
  /** The owner's daily limit of compute; nano-USD. */
  readonly ownerLimit: bigint
  /** Whether it is held against what the key's own calls paid into its owner's balance. */
  readonly fromPaidIn?: boolean
  /** The most calls of the key that may be under way at once. */
  readonly concurrency: number
  readonly model: string
  readonly priceVersion: string
  readonly surface: string
  readonly now: Date
  /** When it is settled if its process died. */
  readonly expiresAt: Date
}

export type Held =
  | {
      readonly kind: 'held'
      readonly key: RouterKey
      /** Nano-USD. */
      readonly amount: bigint
      /** What is left after the hold, for each level with a limit; nano-USD. */
      readonly left: Partial<Record<Level, bigint>>
    }
  /** Unknown or ended. */
  | { readonly kind: 'no_key' }
  /** The key has reached its limit of calls under way. */
  | { readonly kind: 'busy'; readonly key: RouterKey }
  | {
      readonly kind: 'refused'
      readonly key: RouterKey
      /** Of the refusing levels, the one that would leave the least even with no call in flight. */
      readonly limit: Level
      readonly left: bigint
      /** Held by other calls: together with `left`, the most that the level can offer once they have ended. */
      readonly inFlight: bigint
      /** What is left of what the key's calls paid into the balance. */
      readonly paidInLeft: bigint
      /** Whether the key's own limit refuses, alone or among others: no payment raises it. */
      readonly isKeySpent: boolean
    }

/**
 * Holds a call's cost at every level of its key, or nothing, and records the call, in one trip.
 * @throws RangeError for an amount below zero; the database's 23505 for a call id that is taken
 */
export async function hold(db: RouterDb, asked: Asked): Promise<Held> {
  refuseBelowZero(asked)
  return heldIn(await levelsBefore(db, asked), asked)
}

/**
 * The same for concurrent calls, in one transaction and in order: each sees the holds of those before it.
 * @throws the database's error if one of them cannot be held, or waits longer than 100 ms for a row lock (55P03); then
 * none is held
 */
export async function holdAll(db: RouterDb, calls: readonly Asked[]): Promise<Held[]> {
  for (const asked of calls) refuseBelowZero(asked)
  const rows = Map.groupBy(await levelsBeforeAll(db, calls), ({ place }) => place)
  return calls.map((asked, place) => heldIn(rows.get(place) ?? [], asked))
}

function refuseBelowZero({ least }: Asked): void {
  if (least < 0n) throw new RangeError(`a call cannot hold ${least}`)
}

/** The outcome of a hold, from the levels of its key before it. */
function heldIn(rows: readonly HeldRow[], { least }: Asked): Held {
  const [first] = rows
  if (!first) return { kind: 'no_key' }
  const key = keyOf(first)
  const bounds = boundsOf(rows)
  if (first.amount !== null) {
    const amount = BigInt(first.amount)
    return { kind: 'held', key, amount, left: leftAfter(bounds, amount) }
  }
  const refusing = bounds.filter(({ left }) => left < least)
  const limit = tightest(refusing)
  if (!limit) return { kind: 'busy', key }
  const paidInLeft = BigInt(first.paidInLeft)
  const isKeySpent = refusing.some(({ level }) => level === 'key')
  return { kind: 'refused', key, limit: limit.level, ...leftOf(limit), paidInLeft, isKeySpent }
}

const keyOf = ({ id, prefix, owner, linkId, source, label, createdAt, lastUsedAt }: HeldRow): RouterKey => ({
  ...{ id, prefix, owner, linkId, source, label, createdAt, lastUsedAt },
})

const leftAfter = (bounds: readonly Bound[], amount: bigint) =>
  Object.fromEntries(bounds.map(({ level, left }) => [level, left - amount]))

const leftOf = ({ left, inFlight }: Bound) => ({ left, inFlight })

const tightest = (bounds: readonly Bound[]): Bound | undefined =>
  bounds.reduce<Bound | undefined>((least, one) => (least && most(least) <= most(one) ? least : one), undefined)

const most = ({ left, inFlight }: Bound) => left + inFlight

interface HeldRow extends RouterKey, LevelRow {
  /** The amount held; null if nothing was. */
  readonly amount: string | null
  readonly paidInLeft: string
}

/** The key of a call, the amount held, and one of its levels before the hold. */
const LEVELS = new SqlText(`
  (holder).id, (holder).prefix, (holder).owner, (holder).link_id as "linkId", (holder).source, (holder).label,
  (holder).created_at as "createdAt", (holder).last_used_at as "lastUsedAt",
  ((holder).paid_in_nano - (holder).paid_in_spent_nano - (holder).paid_in_held_nano)::text as "paidInLeft",
  held::text as amount, (state).level, (state).limit_nano::text as limit, (state).spent_nano::text as spent,
  (state).held_nano::text as held`)

/** Holds, and returns each level of the key as it was before. */
async function levelsBefore(db: RouterDb, asked: Asked): Promise<HeldRow[]> {
  const { callId, keyHash, least, most, ownerLimit, fromPaidIn = false, concurrency, now, expiresAt } = asked
  const { model, priceVersion, surface } = asked
  const { rows } = await statement<HeldRow>`
    select ${LEVELS}
    from hold_cost(${keyHash}, ${callId}, ${least}, ${most}, ${ownerLimit}, ${dayOf(now.getTime())}, ${fromPaidIn},
      ${concurrency}, ${model}, ${priceVersion}, ${surface}, ${now}, ${expiresAt}, true)`.execute(db)
  return rows
}

async function levelsBeforeAll(db: RouterDb, calls: readonly Asked[]): Promise<(HeldRow & { place: number })[]> {
  const asked = JSON.stringify(calls.map(rowOf))
  const { rows } = await statement<HeldRow & { place: number }>`
    select place, ${LEVELS} from hold_calls(${asked}::json)`.execute(db)
  return rows
}

/** A call in the form that `hold_calls` takes. */
const rowOf = (asked: Asked, place: number) => ({
  ...{ place, key_hash: Buffer.from(asked.keyHash).toString('hex'), asked_call: asked.callId },
  ...{ least_nano: String(asked.least), most_nano: String(asked.most), limit_without_stake: String(asked.ownerLimit) },
  ...{ on_day: dayOf(asked.now.getTime()), of_paid_in: asked.fromPaidIn ?? false, concurrency: asked.concurrency },
  ...{ of_model: asked.model, of_price: asked.priceVersion, of_surface: asked.surface },
  ...{ at: asked.now, expiry: asked.expiresAt },
})

/** When the first hold expires, in milliseconds; undefined if nothing is held. */
export async function nextExpiry(db: RouterDb): Promise<number | undefined> {
  const row = await db
    .selectFrom('call')
    .select(({ fn }) => fn.min('expires_at').as('at'))
    .where('state', '=', 'held')
    .executeTakeFirst()
  return row?.at?.getTime()
}

/** Calls held beyond their time, oldest first. */
export async function expiredCalls(db: RouterDb, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('call')
    .select('call_id')
    .where('state', '=', 'held')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  return rows.map(({ call_id }) => call_id)
}
