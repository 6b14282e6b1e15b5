import { isRefusal } from '@callboard/values'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { EventTables } from './events/event-tables.ts'

/** A change that an operator command asks of a service. */
export interface OperatorAction {
  /** The operator name given to the command: an unproven claim. */
  readonly by: string
  /** For example `verify` or `sources remove`. */
  readonly verb: string
  /** The subject: a slug, a source, an event. */
  readonly subject: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** `begun` marks a long action, which gets another row once it has ended. */
export type ActionOutcome = 'begun' | 'done' | 'refused' | 'failed'

/** A recorded action. */
export interface KeptAction extends OperatorAction {
  readonly at: Date
  readonly outcome: ActionOutcome
  /** Why it was refused or failed; null otherwise. */
  readonly reason: string | null
  /** The state on which the service decided; null where not recorded. */
  readonly saw: unknown
}

/** Rows are only ever added; the database refuses everything else, even to the service itself. */
export const operatorActionTable: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table operator_action (
        id bigint generated always as identity primary key,
        at timestamptz not null default clock_timestamp(),
        by text not null,
        verb text not null,
        subject text not null,
        arguments jsonb not null,
        outcome text not null check (outcome in ('begun', 'done', 'refused', 'failed')),
        reason text,
        saw jsonb
      )`.execute(db)
    await sql`create index operator_action_by_subject on operator_action (subject, id)`.execute(db)
    await sql`
      create function refuse_operator_action_change() returns trigger language plpgsql as $$
      begin
        raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
      end $$`.execute(db)
    await sql`
      create trigger operator_action_append_only before update or delete or truncate on operator_action
        for each statement execute function refuse_operator_action_change()`.execute(db)
  },
}

interface Outcome {
  readonly outcome: ActionOutcome
  readonly reason?: string | undefined
  readonly saw?: unknown
}

/** Records the outcome of an action; in the transaction of its change, both are stored or neither. */
export async function appendAction<Own extends EventTables>(
  db: Kysely<Own>,
  { by, verb, subject, arguments: given }: OperatorAction,
  { outcome, reason, saw }: Outcome,
): Promise<void> {
  await sql`
    insert into operator_action (by, verb, subject, arguments, outcome, reason, saw)
    values (${by}, ${verb}, ${subject}, ${JSON.stringify(given)}::jsonb, ${outcome}, ${reason ?? null},
            ${saw === undefined ? null : JSON.stringify(saw)}::jsonb)`.execute(db)
}

/** What `audited` work receives: its transaction, and where to record the state it decides on. */
export interface Audited<Own> {
  readonly tx: Transaction<Own>
  note(saw: unknown): void
}

/**
 * Performs an operator's action in one transaction and records it in the same: every change is on record, and every
 * action recorded as done was done. A refusal is recorded like an answer, so it must come before the first change.
 * Errors are recorded afterwards in a transaction of their own, if the database is reachable then.
 * @returns what `work` returns
 * @throws what `work` throws
 */
export async function audited<Own extends EventTables, Result>(
  db: Kysely<Own>,
  action: OperatorAction,
  work: (audited: Audited<Own>) => Promise<Result>,
): Promise<Result> {
  let saw: unknown
  const note = (seen: unknown) => {
    saw = seen
  }
  try {
    return await db.transaction().execute(async (tx) => {
      const result = await work({ tx, note })
      const outcome = isRefusal(result)
        ? ({ outcome: 'refused', reason: [result.refusal, result.message].filter(Boolean).join('. ') } as const)
        : ({ outcome: 'done' } as const)
      await appendAction(tx, action, { ...outcome, saw })
      return result
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await appendAction(db, action, { outcome: 'failed', reason, saw }).catch(() => {})
    throw error
  }
}

/** A filter for actions. */
export interface ActionsAsked {
  /** Only this subject. */
  readonly subject?: string | undefined
  readonly limit: number
}

/** The newest actions on the record of a service, newest first. */
export async function newestActions<Own>(db: Kysely<Own>, { subject, limit }: ActionsAsked): Promise<KeptAction[]> {
  const { rows } = await sql<KeptAction>`
    select at, by, verb, subject, arguments, outcome, reason, saw from operator_action
    where ${subject ?? null}::text is null or subject = ${subject ?? null} order by id desc limit ${limit}`.execute(db)
  return rows
}
