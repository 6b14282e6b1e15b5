import type { Address } from '@callboard/values'
import { sql } from 'kysely'
import { subjectOf } from './budget.repository.ts'
import type { TokenUsage } from './settle.repository.ts'
import type { RouterDb, Source } from './tables.ts'

/** The totals of settled calls. */
export interface Counted {
  readonly calls: number
  /** Nano-USD. */
  readonly cost: bigint
  /** The part of the cost that is our bound or count rather than the upstream's usage. */
  readonly estimatedCost: bigint
  /** Tokens of the calls for which they are known. */
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The totals of a source on a UTC day of admission, YYYY-MM-DD. */
export interface DayUsage extends Counted {
  readonly day: string
  readonly source: Source
}

/** The totals of a key with a model on a day. */
export interface KeyUsage extends DayUsage {
  readonly model: string
  readonly keyId: string
}

/** An owner's settled calls since a given time. */
export interface OwnerUsage {
  /** By day and source, complete. */
  readonly days: readonly DayUsage[]
  /** By day, model and key, latest day first, up to the requested number. */
  readonly rows: readonly KeyUsage[]
  /** The total number of these rows. */
  readonly count: number
}

/** Totals of an owner's calls since a given time. Key renewals add rows without end, so at most `most` are read. */
export async function usageOf(db: RouterDb, owner: Address, since: Date, most: number): Promise<OwnerUsage> {
  type Texts = { cost: string; estimatedCost: string; rows: number }
  const { rows: found } = await sql<Texts & Omit<KeyUsage, keyof Texts | 'keyId'> & { keyId: string | null }>`
    with used as (
      select day::text as day, model, key_id as "keyId", source, count(*) as calls,
             sum(cost_nano)::text as cost,
             coalesce(sum(cost_nano) filter (where estimated), 0)::text as "estimatedCost",
             coalesce(sum(input_tokens), 0) as "inputTokens", coalesce(sum(output_tokens), 0) as "outputTokens"
      from call where owner = ${owner} and created_at >= ${since} and state = 'settled'
      group by grouping sets ((call.day, source), (call.day, source, model, key_id)))
    select *, count("keyId") over () as rows from used
    order by "keyId" is not null, day desc, model, "keyId"
    limit ${most} + (select count(*) from used where "keyId" is null)`.execute(db)
  const usage = found.map(({ rows: _, ...row }) => ({
    ...row,
    cost: BigInt(row.cost),
    estimatedCost: BigInt(row.estimatedCost),
  }))
  return {
    days: usage.filter(({ keyId }) => keyId === null),
    rows: usage.filter((row): row is typeof row & KeyUsage => row.keyId !== null),
    count: found[0]?.rows ?? 0,
  }
}

/**
 * What links have spent of compute on a day, and what their calls under way may still cost; nano-USD. A link with
 * neither is absent.
 * @param day YYYY-MM-DD, UTC
 */
export async function spentTodayOfLinks(
  db: RouterDb,
  linkIds: readonly string[],
  day: string,
): Promise<Map<string, { readonly spent: bigint; readonly held: bigint }>> {
  const subjects = linkIds.map((id) => subjectOf('link', id))
  const { rows } = await sql<{ linkId: string; spent: string; held: string }>`
    select substr(subject, length('link:') + 1) as "linkId", spent_nano::text as spent, held_nano::text as held
    from budget
    where subject = any(${subjects}::text[]) and day >= ${day}::date and (spent_nano > 0 or held_nano > 0)`.execute(db)
  return new Map(rows.map(({ linkId, spent, held }) => [linkId, { spent: BigInt(spent), held: BigInt(held) }]))
}

/** A call in flight or settled. */
export interface Call {
  readonly id: string
  readonly keyId: string
  readonly owner: Address
  readonly linkId: string | null
  readonly source: Source
  readonly day: string
  /** What it holds or held; nano-USD. */
  readonly amount: bigint
  readonly model: string
  readonly priceVersion: string
  readonly surface: string
  readonly upstream: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly state: 'held' | 'settled'
  /** Null until it is settled, like what follows; tokens are also null if unknown. */
  readonly cost: bigint | null
  readonly usage: TokenUsage | null
  readonly estimated: boolean | null
  readonly ending: string | null
  readonly settledAt: Date | null
}

/** A call of an owner or of a key; calls of others appear not to exist. */
export async function callById(
  db: RouterDb,
  of: { readonly owner: Address } | { readonly keyId: string },
  callId: string,
): Promise<Call | undefined> {
  const isTheirs = 'owner' in of ? sql`owner = ${of.owner}` : sql`key_id = ${of.keyId}`
  const { rows } = await sql<Omit<Call, 'amount' | 'cost'> & { amount: string; cost: string | null }>`
    select call_id as id, key_id as "keyId", owner, link_id as "linkId", source, day::text as day,
           amount_nano::text as amount, model, price_version as "priceVersion", surface, upstream,
           created_at as "createdAt", expires_at as "expiresAt", state, cost_nano::text as cost,
           case when input_tokens is not null then json_build_object(
             'inputTokens', input_tokens, 'outputTokens', output_tokens, 'cacheReadTokens', cache_read_tokens,
             'cacheWriteTokens', cache_write_tokens, 'reasoningTokens', reasoning_tokens) end as usage,
           estimated, ending, settled_at as "settledAt"
    from call where call_id = ${callId} and ${isTheirs}`.execute(db)
  const [row] = rows
  return row && { ...row, amount: BigInt(row.amount), cost: row.cost === null ? null : BigInt(row.cost) }
}
