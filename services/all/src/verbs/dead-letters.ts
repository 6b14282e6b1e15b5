import { EventEnvelope, eventName } from '@callboard/contract'
import { handleOnce, type Running, type ServiceContext, type ServiceModule } from '@callboard/runtime'
import { audited } from '@callboard/store'
import { sql } from 'kysely'

/** An event that a consumer gave up, as an operator sees it. */
export interface DeadLetter {
  readonly service: string
  readonly eventId: string
  readonly name: string
  readonly reason: string
  readonly attempts: number
  readonly diedAt: Date
}

/** What every consumer of the given services gave up, oldest first. */
export async function listDeadLetters(running: Running, modules: readonly ServiceModule[]): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = []
  for (const { name: service } of modules) {
    const { rows } = await sql<Omit<DeadLetter, 'service'>>`
      select event_id as "eventId", name, reason, attempts, died_at as "diedAt"
      from dead_letter order by died_at`.execute(kitOf(running, service).db)
    letters.push(...rows.map((row) => ({ ...row, service })))
  }
  return letters
}

/**
 * Hands an event to its consumer once more, through the inbox, so that it cannot take effect twice; what is handled is
 * no longer kept. The replay is written down, also where it fails.
 * @param by the operator's name
 * @throws Error when there is no such letter, or what the consumer throws
 */
export async function replayDeadLetter(
  running: Running,
  module: ServiceModule,
  eventId: string,
  by: string,
): Promise<void> {
  const ctx = kitOf(running, module.name)
  const action = { by, verb: 'dead-letters replay', subject: eventId, arguments: { service: module.name } }
  // The consumer has a transaction of its own, and its inbox keeps a second try from taking effect twice.
  await audited(ctx.db, action, ({ tx }) => replayed({ ...ctx, tx }, module, eventId))
}

async function replayed(
  ctx: ServiceContext & { readonly tx: ServiceContext['db'] },
  module: ServiceModule,
  eventId: string,
): Promise<void> {
  const { rows } = await sql<{ consumer: string; envelope: unknown }>`
    select consumer, envelope from dead_letter where event_id = ${eventId} for update`.execute(ctx.tx)
  if (rows.length === 0) throw new Error(`${module.name} keeps no event ${eventId}.`)
  for (const { consumer, envelope } of rows) {
    const consumption = module.consumes.find(({ event }) => eventName(event) === consumer)
    if (!consumption) throw new Error(`${module.name} no longer consumes ${consumer}.`)
    const parsed = EventEnvelope.parse(envelope)
    const data = consumption.event.data.parse(parsed.data)
    await handleOnce(consumption, ctx, { ...parsed, data })
    await sql`delete from dead_letter where consumer = ${consumer} and event_id = ${eventId}`.execute(ctx.tx)
  }
}

function kitOf(running: Running, service: string) {
  const ctx = running.contexts.get(service)
  if (!ctx) throw new Error(`${service} was not started.`)
  return ctx
}
