import { sql } from 'kysely'
import type { RouterDb, RouterTx } from './tables.ts'

/** The subject of a budget: `owner:0x…`, `link:ID` or `key:ID`. */
export const subjectOf = (kind: 'owner' | 'link' | 'key', id: string): string => `${kind}:${id}`

/** A budget on a given day; nano-USD. */
export interface Budget {
  /** Null: no limit. */
  readonly limit: bigint | null
  readonly spent: bigint
  /** What the calls in flight may still cost. */
  readonly held: bigint
}

/** Before any day: the day of a budget that no call has used. */
const UNUSED = '0001-01-01'

/** Sets what a subject may spend per day; null means no limit. What it spent and holds is unchanged. */
export async function setLimit(tx: RouterTx, subject: string, limit: bigint | null): Promise<void> {
  await tx
    .insertInto('budget')
    .values({ subject, limit_nano: limit, day: UNUSED, spent_nano: 0n, held_nano: 0n })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ limit_nano: limit }))
    .execute()
}

/** Gives a subject a budget unless it has one: an existing limit is neither lowered nor raised. */
export async function ensureBudget(tx: RouterTx, subject: string, limit: bigint | null): Promise<void> {
  await tx
    .insertInto('budget')
    .values({ subject, limit_nano: limit, day: UNUSED, spent_nano: 0n, held_nano: 0n })
    .onConflict((conflict) => conflict.column('subject').doNothing())
    .execute()
}

/**
 * Budgets on a given day; a subject without one is absent. On a day that no call has reached yet, nothing is spent or
 * held; what a fast clock has already recorded for the next day is included.
 * @param day YYYY-MM-DD, UTC
 */
export async function budgetsOf(db: RouterDb, subjects: readonly string[], day: string): Promise<Map<string, Budget>> {
  const { rows } = await sql<{ subject: string; limit: string | null; spent: string; held: string }>`
    select subject, limit_nano::text as limit,
           case when day >= ${day}::date then spent_nano else 0 end::text as spent,
           case when day >= ${day}::date then held_nano else 0 end::text as held
    from budget where subject = any(${[...subjects]}::text[])`.execute(db)
  return new Map(
    rows.map(({ subject, limit, spent, held }) => [
      subject,
      { limit: limit === null ? null : BigInt(limit), spent: BigInt(spent), held: BigInt(held) },
    ]),
  )
}
