import { EventEnvelope, eventName } from '@callboard/contract'
import { appendAction, audited, type Claim, claimEvent, type EventTables } from '@callboard/store'
import { type Kysely, sql } from 'kysely'
import type { ServiceContext } from '../context.ts'
import { reasonOf } from '../reason-of.ts'
import type { Consumption, ServiceModule } from '../service.ts'
import { handleOnce } from './handling.ts'

/** A dead-lettered event, as an operator sees it. */
export interface DeadLetter {
  /** The name of the consumer's event. */
  readonly consumer: string
  readonly eventId: string
  readonly name: string
  readonly reason: string
  readonly attempts: number
  readonly diedAt: Date
  /** The event as received; `{ unreadable }` in base64 where it was not JSON. */
  readonly envelope: unknown
}

/** The dead letter that a command is about. */
export interface Addressed {
  readonly module: ServiceModule
  readonly eventId: string
  /** The operator's name. */
  readonly by: string
}

/** A service's dead letters, oldest first. @param eventId only this event */
export async function deadLetters(db: Kysely<EventTables>, eventId?: string): Promise<DeadLetter[]> {
  const { rows } = await sql<DeadLetter>`
    select consumer, event_id as "eventId", name, reason, attempts, died_at as "diedAt", envelope
    from dead_letter where ${eventId ?? null}::text is null or event_id = ${eventId ?? null}
    order by died_at`.execute(db)
  return rows
}

/** An event as its consumer receives it, or why it cannot be read. */
export type Readable =
  | { readonly ok: true; readonly consumption: Consumption; readonly envelope: EventEnvelope }
  | { readonly ok: false; readonly why: string }

/** Checks whether the present version of the service can read a dead letter. */
export function readable({ name, consumes }: ServiceModule, { consumer, envelope }: DeadLetter): Readable {
  const consumption = consumes.find(({ event }) => eventName(event) === consumer)
  if (!consumption) return { ok: false, why: `${name} no longer consumes ${consumer}` }
  const parsed = EventEnvelope.safeParse(envelope)
  if (!parsed.success) return { ok: false, why: `it is no event: ${inWords(parsed.error.issues)}` }
  const data = consumption.event.data.safeParse(parsed.data.data)
  if (!data.success) return { ok: false, why: `its data are not those of ${consumer}: ${inWords(data.error.issues)}` }
  return { ok: true, consumption, envelope: { ...parsed.data, data: data.data } }
}

const inWords = (issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string =>
  issues.map(({ path, message }) => `${path.map(String).join('.') || 'all of it'}: ${message}`).join('; ')

/**
 * Hands an event to its consumer once more, through the inbox, so that it cannot take effect twice; a handled one is
 * deleted. The replay is recorded, even if it fails.
 * @param ctx of the letter's service
 * @throws Error when there is no such letter or it cannot be read, or what the consumer throws
 */
export async function replayDeadLetter(ctx: ServiceContext, { module, eventId, by }: Addressed): Promise<void> {
  const action = { by, verb: 'dead-letters replay', subject: eventId, arguments: { service: module.name } }
  const db = ctx.db as unknown as Kysely<EventTables>
  // The consumer has its own transaction, and its inbox keeps a second attempt from taking effect twice.
  try {
    for (const letter of await keptLetters(db, module, eventId)) {
      const read = readable(module, letter)
      if (!read.ok) throw new Error(`${eventId} cannot be replayed, because ${read.why}.`)
      await handleOnce(read.consumption, ctx, read.envelope)
    }
  } catch (error) {
    await appendAction(db, action, { outcome: 'failed', reason: reasonOf(error) })
    throw error
  }
  await audited(db, action, async ({ tx }) => {
    for (const letter of await lockedLetters(tx, module, eventId)) await remove(tx, letter)
  })
}

const DISCARD = 'dead-letters discard'

/**
 * Discards an event for good: the inbox counts it as handled, so that it has no effect if the bus delivers it again, as a
 * renewed log does. Its content is kept in the record of operator actions, with the reason.
 * @throws Error when there is no such letter
 */
export async function discardDeadLetter(
  db: Kysely<EventTables>,
  { module, eventId, by }: Addressed,
  reason: string,
): Promise<void> {
  const action = { by, verb: DISCARD, subject: eventId, arguments: { service: module.name, reason } }
  await audited(db, action, async ({ tx, note }) => {
    const letters = await lockedLetters(tx, module, eventId)
    note(letters)
    for (const letter of letters) {
      await claimEvent(tx, letter.consumer, letter.eventId)
      await remove(tx, letter)
    }
  })
}

/** The events that operators of a service discarded, for what reads an event log anew. */
export async function discardedEvents(db: Kysely<EventTables>): Promise<readonly Claim[]> {
  const { rows } = await sql<Claim>`
    select letter->>'consumer' as consumer, letter->>'eventId' as "eventId"
    from operator_action, jsonb_array_elements(saw) as letter
    where verb = ${DISCARD} and outcome = 'done'`.execute(db)
  return rows
}

async function lockedLetters(tx: Kysely<EventTables>, module: ServiceModule, eventId: string): Promise<DeadLetter[]> {
  await sql`select from dead_letter where event_id = ${eventId} for update`.execute(tx)
  return keptLetters(tx, module, eventId)
}

async function keptLetters(db: Kysely<EventTables>, { name }: ServiceModule, eventId: string): Promise<DeadLetter[]> {
  const letters = await deadLetters(db, eventId)
  if (letters.length === 0) throw new Error(`${name} keeps no event ${eventId}.`)
  return letters
}

const remove = (tx: Kysely<EventTables>, { consumer, eventId }: DeadLetter) =>
  sql`delete from dead_letter where consumer = ${consumer} and event_id = ${eventId}`.execute(tx)
