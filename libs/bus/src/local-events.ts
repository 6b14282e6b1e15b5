import { setTimeout as wait } from 'node:timers/promises'
import { type EventEnvelope, eventName } from '@callboard/contract'
import {
  type Backoff,
  type Consumer,
  DEFAULT_BACKOFF,
  type EventLog,
  identify,
  PoisonEvent,
  readEvent,
} from './events.ts'
import { settled } from './responses.ts'
import { encode } from './wire.ts'

interface Registration {
  readonly consumer: Consumer
  readonly inFlight: Set<Promise<void>>
  /** Aborts when the consumer stops: waits between attempts end, and the event stays unacknowledged. */
  readonly stopping: AbortController
  /** The tail of the work per key, so that events of one key keep their order. */
  readonly tails: Map<string, Promise<void>>
}

/**
 * Events inside one process. Nothing is kept here: `publish` resolves only when every consumer has handled or dead-lettered
 * the event, so the outbox row it came from stays waiting until then, and a crash delivers it again.
 */
export function localEvents(backoff: Backoff = DEFAULT_BACKOFF): EventLog {
  const registrations = new Set<Registration>()
  let turn = 0

  /** One registration per service; replicas of a service in one process take turns. */
  function receivers(name: string): Registration[] {
    const interested = [...registrations].filter(({ consumer }) => eventName(consumer.event) === name)
    const byService = Map.groupBy(interested, ({ consumer }) => consumer.service)
    turn += 1
    return [...byService.values()].flatMap((replicas) => replicas[turn % replicas.length] ?? [])
  }

  function enqueue(registration: Registration, key: string, payload: Uint8Array): Promise<void> {
    const before = registration.tails.get(key) ?? Promise.resolve()
    const work = before.catch(() => {}).then(() => deliver(registration, payload, backoff))
    registration.tails.set(key, work)
    registration.inFlight.add(work)
    const forget = () => {
      registration.inFlight.delete(work)
      if (registration.tails.get(key) === work) registration.tails.delete(key)
    }
    work.then(forget, forget)
    return work
  }

  return {
    async publish(envelope: EventEnvelope) {
      const payload = encode(envelope)
      await Promise.all(receivers(envelope.name).map((registration) => enqueue(registration, envelope.key, payload)))
    },
    async consume(consumer) {
      const registration: Registration = {
        consumer,
        inFlight: new Set(),
        stopping: new AbortController(),
        tails: new Map(),
      }
      registrations.add(registration)
      return {
        async stop(deadlineMs) {
          registrations.delete(registration)
          registration.stopping.abort()
          await settled(registration.inFlight, deadlineMs)
        },
      }
    },
    prepare: async () => {},
    // What is not handled is still in its outbox.
    lag: async () => 0,
    lacks: async () => [],
    identity: async () => 'local',
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
      if (pause === undefined) return deadLetter(consumer, payload, attempts, error, backoff)
      await wait(pause, undefined, { signal: stopping.signal })
    }
  }
}

/** Keeps an event as a dead letter; while even that fails (the store is unavailable) it stays with its sender. */
async function deadLetter(consumer: Consumer, payload: Uint8Array, attempts: number, why: unknown, backoff: Backoff) {
  const reason = why instanceof Error ? why.message : String(why)
  const dead = { ...identify(payload), name: eventName(consumer.event), reason, attempts }
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await consumer.deadLetter(dead)
    } catch (error) {
      const pause = backoff[attempt]
      if (pause === undefined) throw error
      await wait(pause)
    }
  }
}
