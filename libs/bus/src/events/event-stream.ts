import type { JetStreamManager } from '@nats-io/jetstream'
import { type ConsumerLag, type ConsumerName, durableName, type LogSize } from './events.ts'
import {
  consumerOf,
  deviations,
  EVENT_STREAM,
  isNewer,
  STREAM,
  type StreamSettings,
  streamOf,
} from './stream-declaration.ts'

const absent = () => undefined

const streamInfo = (manager: JetStreamManager) => manager.streams.info(EVENT_STREAM).catch(absent)
const consumerInfo = (manager: JetStreamManager, consumer: ConsumerName) =>
  manager.consumers.info(EVENT_STREAM, durableName(consumer)).catch(absent)

/** The stream: made, changed where it is not as declared, or left alone, which needs no right to change it. */
async function standingStream(manager: JetStreamManager, settings: StreamSettings) {
  const wanted = streamOf(settings)
  const found = await streamInfo(manager)
  if (!found) return manager.streams.add(wanted)
  if (deviations(EVENT_STREAM, wanted, found.config).length === 0) return found
  return manager.streams.update(EVENT_STREAM, { ...found.config, ...wanted })
}

async function standingConsumer(manager: JetStreamManager, consumer: ConsumerName) {
  const found = await consumerInfo(manager, consumer)
  return found && isNewer(found.config) ? found : manager.consumers.add(EVENT_STREAM, consumerOf(consumer))
}

/**
 * Creates the stream and the durable consumers, or brings them up to date, and reads back what the server made of it. What a
 * newer version has declared stays as it is.
 * @throws Error naming every setting that the server did not take
 */
export async function prepareStream(
  manager: JetStreamManager,
  consumers: readonly ConsumerName[],
  settings: StreamSettings,
): Promise<void> {
  const { config } = await standingStream(manager, settings)
  const wrong = deviations(EVENT_STREAM, streamOf(settings), config)
  for (const consumer of consumers) {
    const wanted = consumerOf(consumer)
    const made = await standingConsumer(manager, consumer)
    wrong.push(...deviations(wanted.durable_name, wanted, made.config))
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
}

/** Makes the stream anew and empty, and its consumers: another log, which gets what the outboxes say. */
export async function renewStream(
  manager: JetStreamManager,
  consumers: readonly ConsumerName[],
  settings: StreamSettings,
): Promise<void> {
  const found = await streamInfo(manager)
  if (found) await manager.streams.delete(EVENT_STREAM)
  if (found && isNewer(found.config)) await manager.streams.add(found.config)
  await prepareStream(manager, consumers, settings)
}

/**
 * What is missing of the stream and the consumers, or is not as declared, in words; empty when all is there. What an operator
 * decides of the stream is not looked at: the migration step says it, and processes with settings of before go on.
 */
export async function streamLacks(manager: JetStreamManager, consumers: readonly ConsumerName[]): Promise<string[]> {
  const stream = await streamInfo(manager)
  if (!stream) return [`the stream ${EVENT_STREAM} is not there`]
  const lacks = deviations(EVENT_STREAM, STREAM, stream.config)
  for (const consumer of consumers) {
    const wanted = consumerOf(consumer)
    const found = await consumerInfo(manager, consumer)
    if (found) lacks.push(...deviations(wanted.durable_name, wanted, found.config))
    else lacks.push(`the consumer ${wanted.durable_name} is not there`)
  }
  return lacks
}

/** Events of a durable consumer that are not acknowledged: not delivered yet, or in work. */
export async function consumerLag(manager: JetStreamManager, consumer: ConsumerName): Promise<ConsumerLag> {
  const info = await manager.consumers.info(EVENT_STREAM, durableName(consumer))
  return { events: info.num_pending + info.num_ack_pending, redelivered: info.num_redelivered }
}

/** What the stream keeps of all events. */
export async function streamSize(manager: JetStreamManager): Promise<LogSize> {
  const { state, config } = await manager.streams.info(EVENT_STREAM)
  const limitBytes = config.max_bytes > 0 ? config.max_bytes : undefined
  return { stream: EVENT_STREAM, events: state.messages, bytes: state.bytes, limitBytes }
}

/** When the stream was created: another stream under the same name has another time. */
export const streamIdentity = async (manager: JetStreamManager): Promise<string> =>
  (await manager.streams.info(EVENT_STREAM)).created
