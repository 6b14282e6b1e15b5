import { BusFault, type Consuming, consumingBatch, EventBatcher, consuming as inConsumerSpan } from '@callboard/bus'
import { type EventEnvelope, eventName } from '@callboard/contract'
import { isOutage, isRightRefused, isStatementTimeout, storeDeadLetter } from '@callboard/store'
import type { Kysely } from 'kysely'
import type { ServiceContext } from '../context.ts'
import type { Batch, ServiceModule } from '../service.ts'
import { handleBatch, handleOnce } from './handling.ts'

/**
 * Subscribes a service to its events.
 * @param linger false: no event waits for others
 * @returns a function that stops it
 */
export async function consumeEvents(
  module: ServiceModule,
  ctx: ServiceContext,
  linger = true,
): Promise<(deadlineMs: number) => Promise<void>> {
  const consuming: Consuming[] = []
  const batchers = new Map<Batch, EventBatcher>()
  const batcherOf = (batch: Batch): EventBatcher => {
    const known = batchers.get(batch)
    if (known) return known
    const lingerMs = linger ? batch.lingerMs : 0
    const made = new EventBatcher({ lingerMs, handle: (events) => takeBatch(module, ctx, batch, events) })
    batchers.set(batch, made)
    return made
  }
  for (const consumption of module.consumes) {
    const { event, batch } = consumption
    const labels = { consumer: module.name, event: event.id }
    const consumer = await ctx.bus.events.consume({
      service: module.name,
      event,
      batcher: batch && batcherOf(batch),
      handle: (envelope) =>
        inConsumerSpan(`evt.${envelope.name}`, traceOf(envelope), async () => {
          const done = ctx.metrics.eventSeconds.startTimer(labels)
          try {
            done({ outcome: (await handleOnce(consumption, ctx, envelope)) ? 'ok' : 'repeat' })
          } catch (error) {
            done({ outcome: 'failed' })
            ctx.readiness.failed(error)
            ctx.log.warn({ err: error, event: envelope.name, eventId: envelope.id }, 'an event was not handled')
            throw unavailableOr(envelope.name, error)
          }
        }),
      deadLetter: async (dead) => {
        ctx.metrics.deadLettered.inc(labels)
        ctx.log.error({ event: dead.name, eventId: dead.eventId, reason: dead.reason }, 'an event was given up')
        await storeDeadLetter(ctx.db as unknown as Kysely<never>, { ...dead, consumer: eventName(event) })
      },
    })
    consuming.push(consumer)
  }
  return async (deadlineMs) => {
    await Promise.all(consuming.map((consumer) => consumer.stop(deadlineMs)))
  }
}

/** Handles a batch; each event's measured time is that of the whole batch. */
function takeBatch(
  { name, consumes }: ServiceModule,
  ctx: ServiceContext,
  batch: Batch,
  events: readonly EventEnvelope[],
) {
  return consumingBatch(`evt.${name}`, events.map(traceOf), async () => {
    const began = performance.now()
    try {
      const fresh = new Set(await handleBatch(batch, ctx, events))
      const seconds = (performance.now() - began) / 1_000
      for (const envelope of events) {
        const event = consumes.find((one) => eventName(one.event) === envelope.name)?.event.id ?? envelope.name
        ctx.metrics.eventSeconds.observe(
          { consumer: name, event, outcome: fresh.has(envelope) ? 'ok' : 'repeat' },
          seconds,
        )
      }
    } catch (error) {
      ctx.log.warn({ err: error, events: events.length }, 'events were not handled together, and are taken one by one')
      throw error
    }
  })
}

/**
 * An event that takes too long in a Postgres that answers may be the reason itself, and is given up in the end. One for
 * which Postgres refuses a right is not: `/readyz` names the right, and whoever grants it would find a letter per event.
 */
const unavailableOr = (name: string, error: unknown): unknown =>
  (isOutage(error) && !isStatementTimeout(error)) || isRightRefused(error)
    ? new BusFault('unavailable', `evt.${name}`, 'a store is unavailable', { cause: error })
    : error

const traceOf = (envelope: EventEnvelope): Record<string, string> =>
  envelope.traceparent ? { traceparent: envelope.traceparent } : {}
