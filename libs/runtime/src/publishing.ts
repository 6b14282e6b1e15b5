import { activeTraceparent } from '@callboard/bus'
import { eventName } from '@callboard/contract'
import { appendEvents, type Database, type EventTables, OutboxRelay } from '@callboard/store'
import { type Clock, isoTime } from '@callboard/values'
import type { Kysely, Transaction } from 'kysely'
import type { ServiceContext } from './context.ts'
import type { ServiceModule } from './service.ts'

/** The `publish` and `publishAll` of a service's context; they refuse events that the service did not declare. */
export function publisher(module: ServiceModule, clock: Clock): Pick<ServiceContext, 'publish' | 'publishAll'> {
  const declared = new Set(module.publishes.map(eventName))
  const publishAll: ServiceContext['publishAll'] = async (tx, event, all) => {
    const name = eventName(event)
    if (!declared.has(name)) throw new Error(`${module.name} does not declare that it publishes ${name}`)
    await appendEvents(tx as unknown as Transaction<EventTables>, {
      name,
      occurredAt: new Date(clock.now()),
      traceparent: activeTraceparent(),
      events: all.map((data) => ({ key: String((data as Record<string, unknown>)[event.key]), data })),
    })
  }
  return { publishAll, publish: (tx, event, data) => publishAll(tx, event, [data]) }
}

/** Starts moving a service's outbox to the bus. @returns a function that stops it */
export function relayOutbox(ctx: ServiceContext, { sessions, db, schema }: Database<EventTables>): () => Promise<void> {
  const relay = new OutboxRelay({
    sessions,
    schema,
    notifications: ctx.notifications,
    db: db as unknown as Kysely<EventTables>,
    onError: (error) => ctx.log.warn({ err: error }, 'the outbox could not be relayed'),
    publish: (inOrder) =>
      ctx.bus.events.publishInOrder(
        inOrder.map(({ occurredAt, traceparent, ...event }) => ({
          ...event,
          source: ctx.name,
          occurredAt: isoTime(occurredAt.getTime()),
          ...(traceparent ? { traceparent } : {}),
        })),
      ),
  })
  relay.start()
  return () => relay.stop()
}
