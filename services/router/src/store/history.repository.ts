import { sql } from 'kysely'
import { subjectOf } from './budget.repository.ts'
import type { RouterKey } from './key.repository.ts'
import type { Level } from './levels.ts'
import type { RouterDb } from './tables.ts'

/** A key, live or ended. */
export interface KeyThen extends Omit<RouterKey, 'lastUsedAt'> {
  readonly endedAt: Date | null
}

/** The key with an id, or else the newest whose secret has this prefix. */
export async function keyByIdOrPrefix(db: RouterDb, idOrPrefix: string): Promise<KeyThen | undefined> {
  const { rows } = await sql<KeyThen>`
    select id, prefix, owner, link_id as "linkId", source, label, created_at as "createdAt", ended_at as "endedAt"
    from router_key where id = ${idOrPrefix} or prefix = ${idOrPrefix}
    order by id = ${idOrPrefix} desc, created_at desc limit 1`.execute(db)
  return rows[0]
}

/** A level at a given time; nano-USD. */
export interface LevelThen {
  readonly level: Level
  readonly limit: bigint | null
  /** Whether the limit is the one in force then; otherwise it is the present one, as no record of that time exists. */
  readonly isRecorded: boolean
  readonly spent: bigint
  readonly held: bigint
}

/**
 * The levels of a key at a given time: what its calls had cost by then, what those under way held, and what the ledger
 * had received. Calls made at that very time are included.
 * @param day the UTC day of that time, YYYY-MM-DD
 * @param ownerLimit the owner’s compute of that day by the present rule
 */
export async function levelsAt(
  db: RouterDb,
  key: KeyThen,
  { at, day, ownerLimit }: { readonly at: Date; readonly day: string; readonly ownerLimit: bigint },
): Promise<LevelThen[]> {
  const levels = key.source === 'balance' ? [await balanceAt(db, key, at)] : []
  const ofDay = await spentOn(db, key, { at, day })
  const limits = await limitsAt(db, key, at)
  const dayLevel = (level: 'owner' | 'link' | 'key'): LevelThen => ({
    level,
    ...(level === 'owner' ? { limit: ownerLimit, isRecorded: false } : limits(subject(level, key), level)),
    ...ofDay[level],
  })
  if (key.source === 'compute') levels.push(dayLevel('owner'))
  if (key.source === 'compute' && key.linkId !== null) levels.push(dayLevel('link'))
  return [...levels, dayLevel('key')]
}

const subject = (level: 'link' | 'key', { id, linkId }: KeyThen) =>
  level === 'link' ? subjectOf('link', linkId ?? '') : subjectOf('key', id)

async function balanceAt(db: RouterDb, { owner }: KeyThen, at: Date): Promise<LevelThen> {
  const { rows } = await sql<Record<'bought' | 'spent' | 'held', string>>`
    select coalesce(sum(amount_nano) filter (where kind = 'top_up'), 0)::text as bought,
           coalesce(- sum(amount_nano) filter (where kind = 'usage'), 0)::text as spent,
           (select coalesce(sum(amount_nano), 0) from call
            where owner = ${owner} and source = 'balance' and ${HELD_AT(at)})::text as held
    from ledger_entry join ledger_transfer on ledger_transfer.id = transfer_id
    where account_id = ${`owner:${owner}`} and created_at <= ${at}`.execute(db)
  const [{ bought, spent, held }] = rows as [(typeof rows)[number]]
  return { level: 'balance', limit: BigInt(bought), isRecorded: true, spent: BigInt(spent), held: BigInt(held) }
}

/**
 * What the calls of a compute key had paid into its owner's balance by a given time, and how much of it was spent and
 * held. It is used when the key's levels leave too little. Undefined for a key that paid nothing in.
 */
export async function paidInAt(db: RouterDb, key: KeyThen, at: Date): Promise<Omit<LevelThen, 'level'> | undefined> {
  const { rows } = await sql<Record<'bought' | 'spent' | 'held', string>>`
    select (select coalesce(sum(amount_nano), 0) from top_up where key_id = ${key.id} and credited_at <= ${at})::text as bought,
           coalesce(sum(cost_nano) filter (where settled_at <= ${at}), 0)::text as spent,
           coalesce(sum(amount_nano) filter (where ${HELD_AT(at)}), 0)::text as held
    from call where key_id = ${key.id} and from_paid_in`.execute(db)
  const [{ bought, spent, held }] = rows as [(typeof rows)[number]]
  if (bought === '0' || key.source === 'balance') return undefined
  return { limit: BigInt(bought), isRecorded: true, spent: BigInt(spent), held: BigInt(held) }
}

type OfDay = Record<'owner' | 'link' | 'key', { readonly spent: bigint; readonly held: bigint }>

async function spentOn(db: RouterDb, key: KeyThen, { at, day }: { at: Date; day: string }): Promise<OfDay> {
  const { rows } = await sql<{ level: keyof OfDay; spent: string; held: string }>`
    select level, coalesce(sum(cost_nano) filter (where settled_at <= ${at}), 0)::text as spent,
           coalesce(sum(amount_nano) filter (where ${HELD_AT(at)}), 0)::text as held
    from (values ('owner'), ('link'), ('key')) as levels (level)
    left join call on owner = ${key.owner} and call.day = ${day}::date and case level
      when 'owner' then source = 'compute'
      when 'link' then source = 'compute' and link_id = ${key.linkId}
      else key_id = ${key.id} end
    group by level`.execute(db)
  const of = rows.map(({ level, spent, held }) => [level, { spent: BigInt(spent), held: BigInt(held) }])
  return Object.fromEntries(of) as OfDay
}

async function limitsAt(db: RouterDb, key: KeyThen, at: Date) {
  const { rows } = await sql<{ subject: string; limit: string | null; then: string | null; isRecorded: boolean }>`
    select budget.subject, budget.limit_nano::text as limit, noted.limit_nano::text as then,
           noted.id is not null as "isRecorded"
    from budget left join lateral (
      select id, limit_nano from budget_limit
      where budget_limit.subject = budget.subject and since <= ${at} order by since desc, id desc limit 1) noted on true
    where budget.subject = any(${[subject('link', key), subject('key', key)]}::text[])`.execute(db)
  return (wanted: string, level: 'link' | 'key') => {
    const row = rows.find((one) => one.subject === wanted)
    // A link without a budget may spend nothing; a key without one has no limit of its own.
    if (!row) return { limit: level === 'link' ? 0n : null, isRecorded: true }
    const limit = row.isRecorded ? row.then : row.limit
    return { limit: limit === null ? null : BigInt(limit), isRecorded: row.isRecorded }
  }
}

export interface HoldThen {
  readonly callId: string
  readonly keyId: string
  readonly model: string
  /** Nano-USD. */
  readonly amount: bigint
  readonly createdAt: Date
}

/** The calls that held part of a key's levels at a given time, largest holds first. */
export async function holdsAt(db: RouterDb, key: KeyThen, at: Date, limit: number): Promise<HoldThen[]> {
  const { rows } = await sql<Omit<HoldThen, 'amount'> & { amount: string }>`
    select call_id as "callId", key_id as "keyId", model, amount_nano::text as amount, created_at as "createdAt"
    from call where owner = ${key.owner} and (source = ${key.source} or key_id = ${key.id}) and ${HELD_AT(at)}
    order by amount_nano desc, created_at limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

/** Counts the calls of a key that were under way at a given time, and those admitted within a period before it. */
export async function callsAt(db: RouterDb, keyId: string, at: Date, withinMs: number) {
  const since = new Date(at.getTime() - withinMs)
  const { rows } = await sql<{ underWay: number; admitted: number }>`
    select count(*) filter (where ${HELD_AT(at)})::integer as "underWay",
           count(*) filter (where created_at > ${since} and created_at <= ${at})::integer as admitted
    from call where key_id = ${keyId}`.execute(db)
  return rows[0] ?? { underWay: 0, admitted: 0 }
}

const HELD_AT = (at: Date) => sql<boolean>`(call.created_at <= ${at} and (settled_at is null or settled_at > ${at}))`
