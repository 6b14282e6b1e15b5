import { isRefusal } from '@callboard/values'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { EventTables } from './event-tables.ts'

/** What an operator's command asks a service to change. */
export interface OperatorAction {
  /** The name that the command was given: a claim, which nothing proves. */
  readonly by: string
  /** For example `verify` or `sources remove`. */
  readonly verb: string
  /** What it is about: a slug, a source, an event. */
  readonly subject: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** `begun` is of what takes long, and has another row once it ended. */
export type ActionOutcome = 'begun' | 'done' | 'refused' | 'failed'

/** An action as it was written down. */
export interface KeptAction extends OperatorAction {
  readonly at: Date
  readonly outcome: ActionOutcome
  /** Why it was refused or failed; null where it was not. */
  readonly reason: string | null
  /** What the service had before it when it decided; null where that was not noted. */
  readonly saw: unknown
}

/** Rows are only ever added; the database refuses everything else, also to the service itself. */
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

/** Writes down what became of an action; in the transaction of what it changed, both are there or neither. */
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

/** What `audited` work has: its transaction, and where it notes what it decides on. */
export interface Audited<Own> {
  readonly tx: Transaction<Own>
  note(saw: unknown): void
}

/**
 * Does what an operator asked in one transaction, and writes the action down in the same: what is changed is on record, and
 * what is on record as done was done. A refusal is written down like an answer, so it must come before the first change. What
 * throws is written down by itself afterwards, as far as the database can be reached then.
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

/** Which actions are asked for. */
export interface ActionsAsked {
  /** Of this alone. */
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
