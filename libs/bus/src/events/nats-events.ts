import { setTimeout as wait } from 'node:timers/promises'
import type { EventEnvelope } from '@callboard/contract'
import {
  type ConsumerMessages,
  type JetStreamClient,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import { type NatsConnection, headers as natsHeaders } from '@nats-io/transport-node'
import { encode } from '../wire.ts'
import { deadLetterOf, identify } from './dead-letter.ts'
import type { EventBatcher } from './event-batcher.ts'
import { consumerLag, prepareStream, renewStream, streamIdentity, streamLacks, streamSize } from './event-stream.ts'
import {
  type Backoff,
  type Consumer,
  DEFAULT_BACKOFF,
  durableName,
  type EventLog,
  isUnavailable,
  orderOf,
  PoisonEvent,
  readableEvent,
  readEvent,
} from './events.ts'
import { KeyOrder } from './key-order.ts'
import { ACK_WAIT_MS, EVENT_STREAM, IN_WORK, STREAM_SETTINGS, type StreamSettings } from './stream-declaration.ts'

/** How long to wait before asking again for a missing consumer. */
const ABSENT_MS = 500

/** How many more deliveries than attempts an event gets, for processes that end while it waits in them for a store. */
const SPARE_DELIVERIES = 3

/** Events over JetStream: one file-backed stream, one durable pull consumer per service and event. */
export function natsEvents(
  connection: NatsConnection,
  backoff: Backoff = DEFAULT_BACKOFF,
  stream: StreamSettings = STREAM_SETTINGS,
): EventLog {
  const js = jetstream(connection)

  async function publish(envelope: EventEnvelope): Promise<void> {
    const carried = natsHeaders()
    if (envelope.traceparent) carried.set('traceparent', envelope.traceparent)
    await js.publish(`evt.${envelope.name}`, encode(envelope), {
      msgID: envelope.id,
      headers: carried,
      timeout: 5_000,
    })
  }

  return {
    publish,
    async publishInOrder(envelopes) {
      for (const envelope of envelopes) await publish(envelope)
    },

    prepare: async (consumers) => prepareStream(await jetstreamManager(connection), consumers, stream),
    renew: async (consumers) => renewStream(await jetstreamManager(connection), consumers, stream),
    lacks: async (consumers) => streamLacks(await jetstreamManager(connection), consumers),
    lag: async (consumer) => consumerLag(await jetstreamManager(connection, { checkAPI: false }), consumer),
    size: async () => streamSize(await jetstreamManager(connection, { checkAPI: false })),
    identity: async () => streamIdentity(await jetstreamManager(connection)),
    get server() {
      return connection.info?.server_id
    },

    async consume(consumer) {
      const stopping = new AbortController()
      const order = new KeyOrder()
      const { batcher } = consumer

      function take(message: JsMsg): void {
        const alone = () => deliver(consumer, message, { backoff, stopping: stopping.signal })
        const work = () =>
          batcher ? deliverInBatch(batcher, consumer, message, alone) : order.run(keyOf(message), alone)
        void order.hold(inProgress(message, work))
      }

      // A server that is lost at this moment is asked again, as one that is lost later.
      let messages = await pull(js, consumer).catch(() => undefined)
      stopping.signal.addEventListener('abort', () => messages?.stop(), { once: true })
      const reading = (async () => {
        for (;;) {
          try {
            for await (const message of messages ?? []) take(message)
          } catch {
            // The client throws the server's error about a missing consumer or stream.
          }
          messages = await pullAgain(js, consumer, stopping.signal)
          if (!messages) return
        }
      })()
      return {
        async stop(deadlineMs) {
          stopping.abort()
          await reading
          batcher?.hurry()
          await order.ended(deadlineMs)
          if (!connection.isClosed()) await connection.flush()
        },
      }
    },
  }
}

/** Starts pulling; the iterator ends when the server no longer has the consumer. */
const pull = async (js: JetStreamClient, consumer: Consumer): Promise<ConsumerMessages> =>
  (await js.consumers.get(EVENT_STREAM, durableName(consumer))).consume({
    max_messages: IN_WORK,
    abort_on_missing_resource: true,
  })

/**
 * Asks repeatedly for a consumer that the server lost.
 * @returns undefined when it should stop
 */
async function pullAgain(js: JetStreamClient, consumer: Consumer, signal: AbortSignal) {
  while (!signal.aborted) {
    const messages = await pull(js, consumer).catch(() => undefined)
    if (messages && !signal.aborted) return messages
    messages?.stop()
    await wait(ABSENT_MS, undefined, { signal }).catch(() => {})
  }
  return undefined
}

const keyOf = (message: JsMsg): string => {
  const { envelope } = identify(message.data)
  return String((envelope as { key?: unknown } | null)?.key ?? '')
}

/**
 * Reports a delivery as being in progress until it is done. An event also counts as such while it waits for earlier ones
 * of its key: otherwise the server would deliver it to another process at the same time, and again each ten seconds
 * until it had been delivered too often to be handled at all.
 */
async function inProgress(message: JsMsg, work: () => Promise<void>): Promise<void> {
  const keepAlive = setInterval(() => message.working(), ACK_WAIT_MS / 3)
  try {
    await work()
  } finally {
    clearInterval(keepAlive)
  }
}

/**
 * Has a delivery handled in a batch. A redelivered one is handled alone: it may have made the batch fail, or killed the
 * process that had it.
 */
async function deliverInBatch(
  batcher: EventBatcher,
  { event }: Consumer,
  message: JsMsg,
  alone: () => Promise<void>,
): Promise<void> {
  const isFirst = message.info.deliveryCount === 1
  const envelope = isFirst ? readableEvent(event, message.data) : undefined
  const key = orderOf(event, envelope?.key ?? keyOf(message))
  if (envelope ? await batcher.add({ key, envelope, alone }) : await batcher.alone(key, alone)) message.ack()
}

interface Delivering {
  readonly backoff: Backoff
  /** Aborts when the consumer stops. */
  readonly stopping: AbortSignal
}

/**
 * Handles one delivery. The server counts deliveries, including those whose process died, so an event that kills its
 * handler is dead-lettered like one that throws. From its last attempt on an event waits here for a store that is
 * unavailable: each further delivery is one of the few that it has to spare.
 */
async function deliver(consumer: Consumer, message: JsMsg, { backoff, stopping }: Delivering): Promise<void> {
  const attempts = message.info.deliveryCount
  for (;;) {
    const failure = await failureOf(consumer, message, backoff)
    if (failure === undefined) return message.ack()
    const pause = failure.error instanceof PoisonEvent ? undefined : backoff[attempts - 1]
    if (pause !== undefined) return message.nak(pause)
    if (!isUnavailable(failure.error) && (await gaveUp(consumer, message, failure.error))) return message.term()
    await wait(backoff.at(-1), undefined, { signal: stopping }).catch(() => {})
    if (stopping.aborted) return message.nak()
  }
}

/** Handles an event once. @returns what it failed with */
async function failureOf(
  { event, handle }: Consumer,
  { data, info }: JsMsg,
  backoff: Backoff,
): Promise<{ readonly error: unknown } | undefined> {
  const attempts = info.deliveryCount
  try {
    if (attempts > backoff.length + 1 + SPARE_DELIVERIES)
      throw new PoisonEvent(`not handled in ${attempts - 1} deliveries`)
    await handle(readEvent(event, data))
    return undefined
  } catch (error) {
    return { error }
  }
}

/** Stores an event as a dead letter. @returns false where that was not possible */
async function gaveUp({ event, deadLetter }: Consumer, { data, info }: JsMsg, error: unknown): Promise<boolean> {
  return deadLetter(deadLetterOf(event, data, { attempts: info.deliveryCount, error })).then(
    () => true,
    () => false,
  )
}
