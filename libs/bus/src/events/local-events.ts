import { setTimeout as wait } from 'node:timers/promises'
import { type EventEnvelope, eventName } from '@callboard/contract'
import { encode } from '../wire.ts'
import { type DeadLetter, deadLetterOf } from './dead-letter.ts'
import {
  type Backoff,
  type Consumer,
  DEFAULT_BACKOFF,
  type EventLog,
  isUnavailable,
  orderOf,
  PoisonEvent,
  readableEvent,
  readEvent,
} from './events.ts'
import { KeyOrder } from './key-order.ts'

interface Registration {
  readonly consumer: Consumer
  readonly order: KeyOrder
  /** Aborts when the consumer stops: waits between attempts end, and the event stays unacknowledged. */
  readonly stopping: AbortController
}

/**
 * Events inside one process. Nothing is stored here: `publish` resolves only when every consumer has handled or
 * dead-lettered the event, so its outbox row stays waiting until then, and a crash delivers it again.
 */
export function localEvents(backoff: Backoff = DEFAULT_BACKOFF): EventLog {
  const registrations = new Set<Registration>()
  let turn = 0

  /** One registration per service; replicas of a service in one process take turns. */
  function receivers(name: string): Registration[] {
    const interested = [...registrations].filter(({ consumer }) => eventName(consumer.event) === name)
    const byService = Map.groupBy(interested, ({ consumer }) => consumer.service)
    return [...byService.values()].flatMap((replicas) => replicas[turn % replicas.length] ?? [])
  }

  function enqueue(registration: Registration, key: string, payload: Uint8Array): Promise<void> {
    const { consumer, order } = registration
    const { event, batcher } = consumer
    const alone = () => deliver(registration, payload, backoff)
    if (!batcher) return order.run(key, alone)
    const [envelope, ownKey] = [readableEvent(event, payload), orderOf(event, key)]
    const handled = envelope ? batcher.add({ key: ownKey, envelope, alone }) : batcher.alone(ownKey, alone)
    return order.hold(handled.then(() => {}))
  }

  async function give(envelope: EventEnvelope): Promise<void> {
    const payload = encode(envelope)
    await Promise.all(receivers(envelope.name).map((registration) => enqueue(registration, envelope.key, payload)))
  }

  return {
    publish: (envelope) => {
      turn += 1
      return give(envelope)
    },
    // One replica gets them all, which keeps the order.
    publishInOrder: async (envelopes) => {
      turn += 1
      await Promise.all(envelopes.map(give))
    },
    async consume(consumer) {
      const registration: Registration = { consumer, order: new KeyOrder(), stopping: new AbortController() }
      registrations.add(registration)
      return {
        async stop(deadlineMs) {
          registrations.delete(registration)
          registration.stopping.abort()
          consumer.batcher?.hurry()
          await registration.order.ended(deadlineMs)
        },
      }
    },
    prepare: async () => {},
    renew: async () => {},
    // Unhandled events are still in their outbox.
    lag: async () => ({ events: 0, redelivered: 0 }),
    size: async () => undefined,
    lacks: async () => [],
    identity: async () => 'local',
    server: undefined,
  }
}

async function deliver({ consumer, stopping }: Registration, payload: Uint8Array, backoff: Backoff): Promise<void> {
  let attempts = 0
  for (;;) {
    stopping.signal.throwIfAborted()
    attempts += 1
    try {
      await consumer.handle(readEvent(consumer.event, payload))
      return
    } catch (error) {
      const pause = error instanceof PoisonEvent ? undefined : backoff[attempts - 1]
      // It stays with its sender, which sends it again.
      if (pause === undefined && isUnavailable(error)) throw error
      if (pause === undefined)
        return giveUp(consumer, deadLetterOf(consumer.event, payload, { attempts, error }), backoff)
      await wait(pause, undefined, { signal: stopping.signal })
    }
  }
}

/** Stores an event as a dead letter; if even that fails (the store is unavailable) it stays with its sender. */
async function giveUp({ deadLetter }: Consumer, dead: DeadLetter, backoff: Backoff): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await deadLetter(dead)
    } catch (error) {
      const pause = backoff[attempt]
      if (pause === undefined) throw error
      await wait(pause)
    }
  }
}
