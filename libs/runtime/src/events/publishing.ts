import { activeTraceparent } from '@callboard/bus'
import { type EventEnvelope, eventName } from '@callboard/contract'
import { appendEvents, type Database, type EventTables, OutboxRelay, type WaitingEvent } from '@callboard/store'
import { type Clock, isoTime } from '@callboard/values'
import type { Kysely } from 'kysely'
import type { ServiceContext } from '../context.ts'
import type { ServiceModule } from '../service.ts'

type Publisher = Pick<ServiceContext, 'publication' | 'publishAll' | 'publish'>

/** How a service's context publishes; it refuses events that the service did not declare. */
export function publisher(module: ServiceModule, clock: Clock): Publisher {
  const declared = new Set(module.publishes.map(eventName))
  const publication: Publisher['publication'] = (event, all) => {
    const name = eventName(event)
    if (!declared.has(name)) throw new Error(`${module.name} does not declare that it publishes ${name}`)
    return appendEvents({
      name,
      occurredAt: new Date(clock.now()),
      traceparent: activeTraceparent(),
      events: all.map((data) => ({ key: String((data as Record<string, unknown>)[event.key]), data })),
    })
  }
  const publishAll: Publisher['publishAll'] = async (tx, event, all) => {
    await publication(event, all).execute(tx)
  }
  return { publication, publishAll, publish: (tx, event, data) => publishAll(tx, event, [data]) }
}

/** An outbox row as the bus carries it. */
export const envelopeOf = (source: string, { occurredAt, traceparent, ...event }: WaitingEvent): EventEnvelope => ({
  ...event,
  source,
  occurredAt: isoTime(occurredAt.getTime()),
  ...(traceparent ? { traceparent } : {}),
})

/** Starts moving a service's outbox to the bus. @returns a function that stops it */
export function relayOutbox(ctx: ServiceContext, { sessions, db, schema }: Database<EventTables>): () => Promise<void> {
  const relay = new OutboxRelay({
    sessions,
    schema,
    notifications: ctx.notifications,
    db: db as unknown as Kysely<EventTables>,
    onError: (error) => ctx.log.warn({ err: error }, 'the outbox could not be relayed'),
    publish: (inOrder) => ctx.bus.events.publishInOrder(inOrder.map((event) => envelopeOf(ctx.name, event))),
  })
  relay.start()
  return () => relay.stop()
}
