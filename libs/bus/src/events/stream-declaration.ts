import { eventSubject } from '@callboard/contract'
import { AckPolicy, DeliverPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { type ConsumerName, durableName } from './events.ts'

export const EVENT_STREAM = 'CALLBOARD_EVENTS'

/**
 * The number of what is declared here. It rises with every change of it, and stands in the stream and in each consumer: what a
 * newer version has declared, an older one leaves as it is.
 */
export const DECLARATION = 2

/** What an operator decides of the stream. */
export interface StreamSettings {
  /** Servers of a NATS cluster that hold it. */
  readonly replicas: number
  /** How long it keeps an event, whoever has handled it. Days. */
  readonly maxAgeDays: number
  /** How much it may hold; beyond it the oldest events go. 0: as much as the server has room for. */
  readonly maxBytes: number
}

export const STREAM_SETTINGS: StreamSettings = { replicas: 1, maxAgeDays: 14, maxBytes: 0 }

const NANOS_PER_MS = 1_000_000
const NANOS_PER_DAY = 24 * 3_600_000 * NANOS_PER_MS
const DUPLICATE_WINDOW_MS = 10 * 60_000
/** How long after the last word of its handler an event is given to another one: what a reader waits for after a kill. */
export const ACK_WAIT_MS = 10_000
/** How many events of one consumer may be in work at once; those of one key still wait for each other. */
export const IN_WORK = 64

const describe = (what: string): string => `${what} (declaration ${DECLARATION} of Callboard)`

/** What no operator decides of the stream. A description is kept by every version of nats-server, as metadata is not. */
export const STREAM = {
  name: EVENT_STREAM,
  description: describe('All events'),
  subjects: ['evt.>'],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  duplicate_window: DUPLICATE_WINDOW_MS * NANOS_PER_MS,
}

/** The whole stream. */
export const streamOf = ({ replicas, maxAgeDays, maxBytes }: StreamSettings) => ({
  ...STREAM,
  num_replicas: replicas,
  max_age: maxAgeDays * NANOS_PER_DAY,
  max_bytes: maxBytes === 0 ? -1 : maxBytes,
})

/** A durable consumer, which is held by as many servers as the stream. */
export const consumerOf = (consumer: ConsumerName) => ({
  durable_name: durableName(consumer),
  description: describe(`Events for ${consumer.service}`),
  filter_subject: eventSubject(consumer.event),
  ack_policy: AckPolicy.Explicit,
  deliver_policy: DeliverPolicy.All,
  ack_wait: ACK_WAIT_MS * NANOS_PER_MS,
  max_deliver: -1,
  max_ack_pending: IN_WORK,
})

/** What a server keeps of a stream or a consumer, as far as it says whose it is. */
interface Described {
  readonly description?: string | undefined
}

/** Whether a newer version than this one has declared what a server keeps. */
export const isNewer = ({ description = '' }: Described): boolean =>
  Number(/\(declaration (\d+) of Callboard\)$/.exec(description)?.[1] ?? 0) > DECLARATION

/**
 * The settings that a server keeps otherwise than we asked, in words: old servers drop unknown ones silently. None of what a
 * newer version has declared, which knows why.
 */
export function deviations(what: string, wanted: object, kept: Described): string[] {
  if (isNewer(kept)) return []
  const values = kept as Record<string, unknown>
  return Object.entries(wanted)
    .filter(([name, value]) => JSON.stringify(values[name]) !== JSON.stringify(value))
    .map(
      ([name, value]) =>
        `nats-server keeps ${name} of ${what} as ${JSON.stringify(values[name])}, not ${JSON.stringify(value)}`,
    )
}
