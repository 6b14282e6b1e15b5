import { MINUTE_MS } from '@callboard/values'
import { sql } from 'kysely'
import { dayOf } from '../domain/day.ts'
import type { RouterKey } from './key.repository.ts'
import { type Bound, boundsOf, keyOf, LEVEL_COLUMNS, type Level, type LevelRow, levelsOf } from './levels.ts'
import type { RouterDb } from './tables.ts'

export { type Settlement, settle, type TokenUsage } from './settle.repository.ts'

/** A call that asks to be admitted. */
export interface Asked {
  readonly callId: string
  /** SHA-256 of the key's secret. */
  readonly keyHash: Uint8Array
  /** The least that has to be held; nano-USD. */
  readonly least: bigint
  /** The most that it can cost: as much of it is held as every level has. */
  readonly most: bigint
  /** What the owner may spend of compute a day; nano-USD. */
  readonly ownerLimit: bigint
  /** Whether it is held of what the key's own calls paid into its owner's balance. */
  readonly fromPaidIn?: boolean
  /** So many calls of the key may be under way at once. */
  readonly concurrency: number
  readonly model: string
  readonly priceVersion: string
  readonly surface: string
  readonly now: Date
  /** When it is settled for a caller that died. */
  readonly expiresAt: Date
}

export type Held =
  | {
      readonly kind: 'held'
      readonly key: RouterKey
      /** Nano-USD. */
      readonly amount: bigint
      /** What is left after the hold at each level that has a limit; nano-USD. */
      readonly left: Partial<Record<Level, bigint>>
    }
  /** Unknown or ended. */
  | { readonly kind: 'no_key' }
  /** The key has as many calls under way as it may. */
  | { readonly kind: 'busy'; readonly key: RouterKey }
  | {
      readonly kind: 'refused'
      readonly key: RouterKey
      /** Of the levels that refuse, the one that would leave the least even when no call were in flight. */
      readonly limit: Level
      readonly left: bigint
      /** Held by other calls: with `left` it is what the level can offer at most once they have ended. */
      readonly inFlight: bigint
      /** What the key's calls paid into the balance and is left of it. */
      readonly paidInLeft: bigint
    }

/** The second run finds the rows that the first one made; there is no third. */
const RUNS = 2

/**
 * Holds what a call can cost at every level of its key, or nothing, and records the call: one statement. Only the first call
 * of an owner or a key without a budget takes two, of which the first one makes it.
 * @throws RangeError for an amount below zero; the database's 23505 for a call id that is taken
 */
export async function hold(db: RouterDb, asked: Asked): Promise<Held> {
  const { least, concurrency } = asked
  if (least < 0n) throw new RangeError(`a call cannot hold ${least}`)
  for (let run = 0; run < RUNS; run++) {
    const rows = await holdOnce(db, asked)
    const [first] = rows
    if (!first) return { kind: 'no_key' }
    const key = keyOf(first)
    const bounds = boundsOf(rows)
    if (first.amount !== null) {
      const amount = BigInt(first.amount)
      return { kind: 'held', key, amount, left: leftAfter(bounds, amount) }
    }
    const refusing = tightest(bounds.filter(({ left }) => left < least))
    if (refusing) {
      const paidInLeft = BigInt(first.paidInLeft)
      return { kind: 'refused', key, limit: refusing.level, ...leftOf(refusing), paidInLeft }
    }
    if (first.underWay >= concurrency) return { kind: 'busy', key }
  }
  throw new Error(`the budgets of call ${asked.callId} were made and are not there`)
}

const leftAfter = (bounds: readonly Bound[], amount: bigint) =>
  Object.fromEntries(bounds.map(({ level, left }) => [level, left - amount]))

const leftOf = ({ left, inFlight }: Bound) => ({ left, inFlight })

const tightest = (bounds: readonly Bound[]): Bound | undefined =>
  bounds.reduce<Bound | undefined>((least, one) => (least && most(least) <= most(one) ? least : one), undefined)

const most = ({ left, inFlight }: Bound) => left + inFlight

interface HeldRow extends LevelRow {
  readonly underWay: number
  /** What was held; null where nothing was. */
  readonly amount: string | null
  readonly paidInLeft: string
}

/** One row for each level of the key, as it stood before the hold. */
async function holdOnce(db: RouterDb, asked: Asked): Promise<HeldRow[]> {
  const { callId, least, most, fromPaidIn = false, concurrency, model, priceVersion, surface, now, expiresAt } = asked
  const levels = levelsOf({ ...asked, day: dayOf(now.getTime()) }, true)
  const { rows } = await sql<HeldRow>`
    with ${levels}, made as (
      insert into budget (subject, limit_nano, day, spent_nano, held_nano)
      select subject, null::bigint, today.day, 0, 0 from levels cross join today
      where not is_stored and level <> 'link' order by place
      on conflict do nothing
    ), admitted as (
      select live_key.id, live_key.owner, live_key.link_id, live_key.source, today.day,
             least(${most}::bigint, (select min(limit_nano - spent_nano - held_nano) from levels)) as amount_nano
      from live_key cross join today
      where live_key.under_way < ${concurrency}::integer and not exists (
        select from levels where not is_stored and level <> 'link' or limit_nano - spent_nano - held_nano < ${least}::bigint)
    ), budgets_held as (
      update budget
      set day = admitted.day, spent_nano = levels.spent_nano, held_nano = levels.held_nano + admitted.amount_nano
      from admitted cross join levels where budget.subject = levels.subject
    ), balance_held as (
      update balance set held_nano = levels.held_nano + admitted.amount_nano
      from admitted cross join levels where levels.level = 'balance' and balance.owner = admitted.owner
    ), used as (
      update router_key set under_way = under_way + 1,
        paid_in_held_nano = paid_in_held_nano + case when ${fromPaidIn} then admitted.amount_nano else 0 end,
        last_used_at = case when last_used_at > ${new Date(now.getTime() - MINUTE_MS)} then last_used_at else ${now} end
      from admitted where router_key.id = admitted.id
    ), noted as (
      insert into call (call_id, key_id, owner, link_id, source, day, amount_nano, from_paid_in, model, price_version,
        surface, created_at, expires_at, state)
      select ${callId}, id, owner, link_id, source, day, amount_nano, ${fromPaidIn}, ${model}, ${priceVersion}, ${surface},
        ${now}::timestamptz, ${expiresAt}::timestamptz, 'held' from admitted
    )
    select ${LEVEL_COLUMNS}, live_key.under_way as "underWay",
      (paid_in_nano - paid_in_spent_nano - paid_in_held_nano)::text as "paidInLeft", (select amount_nano::text from admitted) as amount
    from live_key cross join levels order by levels.place`.execute(db)
  return rows
}

/** Calls that are held beyond their time, the longest first. */
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
