import { eventSubject } from '@callboard/contract'
import { AckPolicy, DeliverPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { type ConsumerName, durableName } from './events.ts'

export const EVENT_STREAM = 'CALLBOARD_EVENTS'

/**
 * The number of this declaration, which rises with every change to it. The stream and each consumer carry it: an older
 * version leaves what a newer one declared as it is.
 */
export const DECLARATION = 2

/** The stream settings that an operator chooses. */
export interface StreamSettings {
  /** Servers of a NATS cluster that hold it. */
  readonly replicas: number
  /** How long it keeps an event, handled or not. Days. */
  readonly maxAgeDays: number
  /** How much it may hold; beyond it the oldest events are dropped. 0: limited only by the server. */
  readonly maxBytes: number
}

export const STREAM_SETTINGS: StreamSettings = { replicas: 1, maxAgeDays: 14, maxBytes: 0 }

const NANOS_PER_MS = 1_000_000
const NANOS_PER_DAY = 24 * 3_600_000 * NANOS_PER_MS
const DUPLICATE_WINDOW_MS = 10 * 60_000
/** How long after its handler's last sign an event goes to another one: the longest wait after a kill. */
export const ACK_WAIT_MS = 10_000
/** How many events of one consumer may be in progress at once; those of one key still wait for each other. */
export const IN_WORK = 64

const describe = (what: string): string => `${what} (declaration ${DECLARATION} of Callboard)`

/** The fixed settings of the stream. Every version of nats-server stores a description, but not metadata. */
export const STREAM = {
  name: EVENT_STREAM,
  description: describe('All events'),
  subjects: ['evt.>'],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  duplicate_window: DUPLICATE_WINDOW_MS * NANOS_PER_MS,
}

/** The whole configuration of the stream. */
export const streamOf = ({ replicas, maxAgeDays, maxBytes }: StreamSettings) => ({
  ...STREAM,
  num_replicas: replicas,
  max_age: maxAgeDays * NANOS_PER_DAY,
  max_bytes: maxBytes === 0 ? -1 : maxBytes,
})

/** A durable consumer, replicated to as many servers as the stream. */
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

/** The part of a stored stream or consumer that says which version declared it. */
interface Described {
  readonly description?: string | undefined
}

/** Whether a version newer than this one declared what the server stores. */
export const isNewer = ({ description = '' }: Described): boolean =>
  Number(/\(declaration (\d+) of Callboard\)$/.exec(description)?.[1] ?? 0) > DECLARATION

/**
 * Returns the settings that a server stores differently than we asked, in words: old servers silently drop unknown
 * ones. None for what a newer version declared, which may differ on purpose.
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
