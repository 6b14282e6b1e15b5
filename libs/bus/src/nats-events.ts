import { type EventDeclaration, type EventEnvelope, eventName, eventSubject } from '@callboard/contract'
import {
  AckPolicy,
  DeliverPolicy,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { type NatsConnection, headers as natsHeaders } from '@nats-io/transport-node'
import {
  type Backoff,
  type Consumer,
  DEFAULT_BACKOFF,
  durableName,
  type EventLog,
  identify,
  PoisonEvent,
  readEvent,
} from './events.ts'
import { settled } from './requests.ts'
import { encode } from './wire.ts'

export const EVENT_STREAM = 'CALLBOARD_EVENTS'

const NANOS_PER_MS = 1_000_000
const ACK_WAIT_MS = 30_000
const DUPLICATE_WINDOW_MS = 10 * 60_000
const MAX_AGE_MS = 14 * 24 * 3_600_000
/** How many events of one consumer may be in work at once; those of one key still wait for each other. */
const IN_WORK = 64

/** Events over JetStream: one file-backed stream, one durable pull consumer per service and event. */
export function natsEvents(connection: NatsConnection, backoff: Backoff = DEFAULT_BACKOFF): EventLog {
  const js = jetstream(connection)

  return {
    async publish(envelope: EventEnvelope) {
      const carried = natsHeaders()
      if (envelope.traceparent) carried.set('traceparent', envelope.traceparent)
      await js.publish(`evt.${envelope.name}`, encode(envelope), {
        msgID: envelope.id,
        headers: carried,
        timeout: 5_000,
      })
    },

    async prepare(_events: readonly EventDeclaration[], consumers) {
      const manager = await jetstreamManager(connection)
      const wanted = {
        name: EVENT_STREAM,
        subjects: ['evt.>'],
        retention: RetentionPolicy.Limits,
        storage: StorageType.File,
        max_age: MAX_AGE_MS * NANOS_PER_MS,
        duplicate_window: DUPLICATE_WINDOW_MS * NANOS_PER_MS,
      }
      const exists = await manager.streams.info(EVENT_STREAM).catch(() => undefined)
      const { config } = exists
        ? await manager.streams.update(EVENT_STREAM, { ...exists.config, ...wanted })
        : await manager.streams.add(wanted)
      // Old servers drop settings they do not know without a word, so what came back is compared.
      for (const [name, value] of Object.entries(wanted)) {
        const kept = config[name as keyof typeof config]
        if (JSON.stringify(kept) !== JSON.stringify(value)) {
          throw new Error(
            `nats-server keeps ${name} of ${EVENT_STREAM} as ${JSON.stringify(kept)}, not ${JSON.stringify(value)}`,
          )
        }
      }
      for (const consumer of consumers) {
        await manager.consumers.add(EVENT_STREAM, {
          durable_name: durableName(consumer),
          filter_subject: eventSubject(consumer.event),
          ack_policy: AckPolicy.Explicit,
          deliver_policy: DeliverPolicy.All,
          ack_wait: ACK_WAIT_MS * NANOS_PER_MS,
          max_deliver: -1,
          max_ack_pending: IN_WORK,
        })
      }
    },

    async consume(consumer) {
      const pull = await js.consumers.get(EVENT_STREAM, durableName(consumer))
      const messages = await pull.consume({ max_messages: IN_WORK })
      const inFlight = new Set<Promise<void>>()
      const tails = new Map<string, Promise<void>>()
      const reading = (async () => {
        for await (const message of messages) {
          const key = keyOf(message)
          const work = (tails.get(key) ?? Promise.resolve()).then(() => deliver(consumer, message, backoff))
          tails.set(key, work)
          inFlight.add(work)
          void work.finally(() => {
            inFlight.delete(work)
            if (tails.get(key) === work) tails.delete(key)
          })
        }
      })()
      return {
        async stop(deadlineMs) {
          messages.stop()
          await reading
          await settled(inFlight, deadlineMs)
          if (!connection.isClosed()) await connection.flush()
        },
      }
    },
  }
}

const keyOf = (message: JsMsg): string => {
  const { envelope } = identify(message.data)
  return String((envelope as { key?: unknown } | null)?.key ?? '')
}

/**
 * Handles one delivery. The server counts deliveries, also those whose process died, so an event that kills its
 * handler is buried like one that throws.
 */
async function deliver(consumer: Consumer, message: JsMsg, backoff: Backoff): Promise<void> {
  const attempts = message.info.deliveryCount
  const keepAlive = setInterval(() => message.working(), ACK_WAIT_MS / 3)
  try {
    if (attempts > backoff.length + 1) throw new PoisonEvent(`not handled in ${attempts - 1} deliveries`)
    await consumer.handle(readEvent(consumer.event, message.data))
    message.ack()
  } catch (error) {
    const pause = error instanceof PoisonEvent ? undefined : backoff[attempts - 1]
    if (pause !== undefined) return message.nak(pause)
    const reason = error instanceof Error ? error.message : String(error)
    try {
      await consumer.bury({ ...identify(message.data), name: eventName(consumer.event), reason, attempts })
      message.term()
    } catch {
      message.nak(backoff.at(-1))
    }
  } finally {
    clearInterval(keepAlive)
  }
}
