import { type Kysely, sql, type Transaction } from 'kysely'
import { statement } from '../statements/statement.ts'
import type { EventTables } from './event-tables.ts'

/**
 * Claims an event for a consumer inside the transaction of its effects.
 * @returns false when the consumer has already handled it; then there is nothing to do
 */
export async function claimEvent<Own extends EventTables>(
  tx: Transaction<Own>,
  consumer: string,
  eventId: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into inbox (consumer, event_id) values (${consumer}, ${eventId}) on conflict do nothing`.execute(tx)
  return numAffectedRows === 1n
}

/** An event as an inbox identifies it. */
export interface Claim {
  readonly consumer: string
  readonly eventId: string
}

/**
 * Claims several events at once, in the order of their ids, so that two callers with the same events cannot deadlock.
 * @returns those not handled before, each once
 */
export async function claimEvents<Own extends EventTables>(
  tx: Transaction<Own>,
  claims: readonly Claim[],
): Promise<Claim[]> {
  const { rows } = await statement<Claim>`
    insert into inbox (consumer, event_id)
    select consumer, event_id
    from unnest(${claims.map(({ consumer }) => consumer)}::text[], ${claims.map(({ eventId }) => eventId)}::text[])
      as claim (consumer, event_id)
    order by event_id, consumer
    on conflict do nothing returning consumer, event_id as "eventId"`.execute(tx)
  return rows
}

export interface DeadLetter {
  readonly consumer: string
  readonly eventId: string
  readonly name: string
  readonly reason: string
  readonly envelope: unknown
  readonly attempts: number
}

/** Stores an event that a consumer could not handle, so that the others can go on and an operator can replay it. */
export async function storeDeadLetter<Own extends EventTables>(db: Kysely<Own>, letter: DeadLetter): Promise<void> {
  await sql`
    insert into dead_letter (consumer, event_id, name, reason, envelope, attempts)
    values (${letter.consumer}, ${letter.eventId}, ${letter.name}, ${letter.reason},
            ${JSON.stringify(letter.envelope)}::jsonb, ${letter.attempts})
    on conflict (consumer, event_id) do update
      set reason = excluded.reason, attempts = dead_letter.attempts + excluded.attempts, died_at = now()`.execute(db)
}

const FORGOTTEN_AT_ONCE = 10_000

/**
 * Deletes a portion of the claims made before a time. An event that comes again after that is handled again.
 * @returns whether there may be more
 */
export async function forgetClaims<Own extends EventTables>(db: Kysely<Own>, before: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from inbox using (
      select consumer, event_id from inbox where handled_at < ${before}
      order by handled_at limit ${FORGOTTEN_AT_ONCE} for update skip locked
    ) as old
    where inbox.consumer = old.consumer and inbox.event_id = old.event_id`.execute(db)
  return Number(numAffectedRows ?? 0n) === FORGOTTEN_AT_ONCE
}
