import { type Consuming, consuming as inConsumerSpan } from '@callboard/bus'
import { type EventEnvelope, eventName } from '@callboard/contract'
import { buryEvent, claimEvent } from '@callboard/store'
import type { Kysely, Transaction } from 'kysely'
import type { ServiceContext } from './context.ts'
import type { Consumption, ServiceModule } from './service.ts'

/**
 * Handles one event in one transaction: the claim in the inbox and all effects commit together, so a repeat does
 * nothing and a crash leaves nothing.
 * @returns false when the event had been handled before
 */
export async function handleOnce(
  { event, consume }: Consumption,
  ctx: ServiceContext,
  envelope: EventEnvelope,
): Promise<boolean> {
  const db = ctx.db as unknown as Kysely<never>
  return db.transaction().execute(async (tx: Transaction<never>) => {
    if (!(await claimEvent(tx, eventName(event), envelope.id))) return false
    await consume(envelope.data as never, { ...ctx, tx, envelope } as never)
    return true
  })
}

/** Subscribes a service to its events. @returns how to stop */
export async function consumeEvents(
  module: ServiceModule,
  ctx: ServiceContext,
): Promise<(deadlineMs: number) => Promise<void>> {
  const consuming: Consuming[] = []
  for (const consumption of module.consumes) {
    const { event } = consumption
    const labels = { consumer: module.name, event: event.id }
    const consumer = await ctx.bus.events.consume({
      service: module.name,
      event,
      handle: (envelope) =>
        inConsumerSpan(`evt.${envelope.name}`, traceOf(envelope), async () => {
          const done = ctx.metrics.eventSeconds.startTimer(labels)
          try {
            done({ outcome: (await handleOnce(consumption, ctx, envelope)) ? 'ok' : 'repeat' })
          } catch (error) {
            done({ outcome: 'failed' })
            ctx.log.warn({ err: error, event: envelope.name, eventId: envelope.id }, 'an event was not handled')
            throw error
          }
        }),
      deadLetter: async (dead) => {
        ctx.metrics.eventsBuried.inc(labels)
        ctx.log.error({ event: dead.name, eventId: dead.eventId, reason: dead.reason }, 'an event was given up')
        await buryEvent(ctx.db as unknown as Kysely<never>, { ...dead, consumer: eventName(event) })
      },
    })
    consuming.push(consumer)
  }
  return async (deadlineMs) => {
    await Promise.all(consuming.map((consumer) => consumer.stop(deadlineMs)))
  }
}

const traceOf = (envelope: EventEnvelope): Record<string, string> =>
  envelope.traceparent ? { traceparent: envelope.traceparent } : {}
