import { eventSubject } from '@callboard/contract'
import { AckPolicy, DeliverPolicy, type JetStreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { type ConsumerName, durableName } from './events.ts'

export const EVENT_STREAM = 'CALLBOARD_EVENTS'

const NANOS_PER_MS = 1_000_000
const DUPLICATE_WINDOW_MS = 10 * 60_000
const MAX_AGE_MS = 14 * 24 * 3_600_000
export const ACK_WAIT_MS = 30_000
/** How many events of one consumer may be in work at once; those of one key still wait for each other. */
export const IN_WORK = 64

const STREAM = {
  name: EVENT_STREAM,
  subjects: ['evt.>'],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  max_age: MAX_AGE_MS * NANOS_PER_MS,
  duplicate_window: DUPLICATE_WINDOW_MS * NANOS_PER_MS,
}

const durable = (consumer: ConsumerName) => ({
  durable_name: durableName(consumer),
  filter_subject: eventSubject(consumer.event),
  ack_policy: AckPolicy.Explicit,
  deliver_policy: DeliverPolicy.All,
  ack_wait: ACK_WAIT_MS * NANOS_PER_MS,
  max_deliver: -1,
  max_ack_pending: IN_WORK,
})

/** The settings that the server keeps otherwise than we asked, in words. Old servers drop unknown ones silently. */
function deviations(what: string, wanted: object, kept: object): string[] {
  const values = kept as Record<string, unknown>
  return Object.entries(wanted)
    .filter(([name, value]) => JSON.stringify(values[name]) !== JSON.stringify(value))
    .map(
      ([name, value]) =>
        `nats-server keeps ${name} of ${what} as ${JSON.stringify(values[name])}, not ${JSON.stringify(value)}`,
    )
}

const absent = () => undefined

/** The stream: made, changed where it is not as declared, or left alone, which needs no right to change it. */
async function standingStream(manager: JetStreamManager) {
  const found = await manager.streams.info(EVENT_STREAM).catch(absent)
  if (!found) return manager.streams.add(STREAM)
  if (deviations(EVENT_STREAM, STREAM, found.config).length === 0) return found
  return manager.streams.update(EVENT_STREAM, { ...found.config, ...STREAM })
}

/**
 * Creates the stream and the durable consumers, or brings them up to date, and reads back what the server made of it.
 * @throws Error naming every setting that the server did not take
 */
export async function prepareStream(manager: JetStreamManager, consumers: readonly ConsumerName[]): Promise<void> {
  const { config } = await standingStream(manager)
  const wrong = deviations(EVENT_STREAM, STREAM, config)
  for (const consumer of consumers) {
    const wanted = durable(consumer)
    const made = await manager.consumers.add(EVENT_STREAM, wanted)
    wrong.push(...deviations(wanted.durable_name, wanted, made.config))
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
}

/** Makes the stream anew and empty, and its consumers: another log, which gets what the outboxes say. */
export async function renewStream(manager: JetStreamManager, consumers: readonly ConsumerName[]): Promise<void> {
  if (await manager.streams.info(EVENT_STREAM).catch(absent)) await manager.streams.delete(EVENT_STREAM)
  await prepareStream(manager, consumers)
}

/** What is missing of the stream and the consumers, or is not as declared, in words; empty when all is there. */
export async function streamLacks(manager: JetStreamManager, consumers: readonly ConsumerName[]): Promise<string[]> {
  const stream = await manager.streams.info(EVENT_STREAM).catch(absent)
  if (!stream) return [`the stream ${EVENT_STREAM} is not there`]
  const lacks = deviations(EVENT_STREAM, STREAM, stream.config)
  for (const consumer of consumers) {
    const wanted = durable(consumer)
    const found = await manager.consumers.info(EVENT_STREAM, wanted.durable_name).catch(absent)
    if (found) lacks.push(...deviations(wanted.durable_name, wanted, found.config))
    else lacks.push(`the consumer ${wanted.durable_name} is not there`)
  }
  return lacks
}

/** Events of a durable consumer that are not acknowledged: not delivered yet, or in work. */
export async function consumerLag(manager: JetStreamManager, consumer: ConsumerName): Promise<number> {
  const { num_pending, num_ack_pending } = await manager.consumers.info(EVENT_STREAM, durableName(consumer))
  return num_pending + num_ack_pending
}

/** When the stream was created: another stream under the same name has another time. */
export const streamIdentity = async (manager: JetStreamManager): Promise<string> =>
  (await manager.streams.info(EVENT_STREAM)).created
