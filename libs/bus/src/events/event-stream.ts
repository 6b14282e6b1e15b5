import { JetStreamApiCodes, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream'
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

const NOT_FOUND: readonly number[] = [JetStreamApiCodes.StreamNotFound, JetStreamApiCodes.ConsumerNotFound]

/**
 * Only what the server says not to have is absent. One that does not answer, or may not be asked, may have it: then it
 * would be called lost, what a newer version declared would be overwritten, and a log that was to be renewed would stay.
 */
function absent(error: unknown): undefined {
  if (error instanceof JetStreamApiError && NOT_FOUND.includes(error.code)) return
  throw error
}

const streamInfo = (manager: JetStreamManager) => manager.streams.info(EVENT_STREAM).catch(absent)
const consumerInfo = (manager: JetStreamManager, consumer: ConsumerName) =>
  manager.consumers.info(EVENT_STREAM, durableName(consumer)).catch(absent)

/** Creates the stream, changes it if it differs, or else leaves it alone, which needs no right to change it. */
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
 * Creates or updates the stream and the durable consumers, and reads back what the server made of them. What a newer
 * version declared is left as it is.
 * @throws Error naming every setting that the server did not accept
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

/** Recreates the stream, empty, and its consumers: a new log, to be filled from the outboxes. */
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
 * Returns what is missing of the stream and the consumers, or differs, in words; empty when all is in place. Settings
 * that an operator chooses are not compared: the migration step reports them, and processes with old ones go on.
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

/** Counts a durable consumer's events that are not acknowledged: not delivered yet, or in progress. */
export async function consumerLag(manager: JetStreamManager, consumer: ConsumerName): Promise<ConsumerLag> {
  const info = await manager.consumers.info(EVENT_STREAM, durableName(consumer))
  return { events: info.num_pending + info.num_ack_pending, redelivered: info.num_redelivered }
}

/** Returns what the stream stores of all events. */
export async function streamSize(manager: JetStreamManager): Promise<LogSize> {
  const { state, config } = await manager.streams.info(EVENT_STREAM)
  const limitBytes = config.max_bytes > 0 ? config.max_bytes : undefined
  return { stream: EVENT_STREAM, events: state.messages, bytes: state.bytes, limitBytes }
}

/** When the stream was created: another stream of the same name has another time. */
export const streamIdentity = async (manager: JetStreamManager): Promise<string> =>
  (await manager.streams.info(EVENT_STREAM)).created
