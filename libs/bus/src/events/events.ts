import { createHash } from 'node:crypto'
import { type EventDeclaration, EventEnvelope, eventName } from '@callboard/contract'
import { decode } from '../wire.ts'
import type { EventBatcher } from './event-batcher.ts'

/** Handles one event. Throwing means "again, later"; returning means "done for good". */
export type EventHandler = (envelope: EventEnvelope) => Promise<void>

/** Keeps what could not be handled. Throwing means "ask me again". */
export type DeadLetterSink = (dead: {
  readonly eventId: string
  readonly name: string
  readonly reason: string
  readonly envelope: unknown
  readonly attempts: number
}) => Promise<void>

/** Whose interest in which event: what a durable consumer is named after. */
export interface ConsumerName {
  /** The service; its replicas share the work. */
  readonly service: string
  readonly event: EventDeclaration
}

/** One service's durable interest in one event. */
export interface Consumer extends ConsumerName {
  readonly handle: EventHandler
  readonly deadLetter: DeadLetterSink
  /** Hands events over together, and only what cannot be taken together to `handle`; consumers may share it. */
  readonly batcher?: EventBatcher | undefined
}

export interface Consuming {
  /** Takes no new event, waits for what is in flight (until the deadline), then resolves. */
  stop(deadlineMs: number): Promise<void>
}

/** What a consumer has still to finish. */
export interface ConsumerLag {
  /** Events that wait for it and those that it has in work. */
  readonly events: number
  /** Those of them that were delivered before, and were not finished then. */
  readonly redelivered: number
}

/** What a log keeps, whoever has handled it. */
export interface LogSize {
  readonly stream: string
  readonly events: number
  readonly bytes: number
  /** The most that it may keep, beyond which the oldest events go; undefined: as much as the server has room for. */
  readonly limitBytes: number | undefined
}

/** How events travel, at least once, to every service that consumes them. */
export interface EventLog {
  /** Resolves when the event cannot be lost any more. */
  publish(envelope: EventEnvelope): Promise<void>
  /** Publishes events of one key in their order. When it rejects, those before the one that failed may be in the log. */
  publishInOrder(envelopes: readonly EventEnvelope[]): Promise<void>
  consume(consumer: Consumer): Promise<Consuming>
  /** Creates what the broker must hold for these consumers, and checks what it made of it; part of the migration step. */
  prepare(consumers: readonly ConsumerName[]): Promise<void>
  /** Begins another log, which holds nothing of this one; the same right is needed. */
  renew(consumers: readonly ConsumerName[]): Promise<void>
  /** What the broker lacks of that, in words; empty when all is there. */
  lacks(consumers: readonly ConsumerName[]): Promise<string[]>
  /** How far behind a consumer is. */
  lag(consumer: ConsumerName): Promise<ConsumerLag>
  /** What the log keeps; undefined where there is no broker that keeps one. */
  size(): Promise<LogSize | undefined>
  /**
   * Which log it is that `publish` writes to. When this changes (the broker lost its store, or another one is used),
   * what was published before is not in it.
   */
  identity(): Promise<string>
}

/** Waits between attempts, in milliseconds; after the last the event is dead-lettered. */
export type Backoff = readonly number[]

export const DEFAULT_BACKOFF: Backoff = [200, 1_000, 5_000, 15_000, 60_000]

/** The durable name of a consumer: `catalog--listing-changed-v1`. NATS allows no dots in it. */
export const durableName = (consumer: ConsumerName): string =>
  `${consumer.service}--${eventName(consumer.event).replaceAll('.', '-')}`

export class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent'
}

/** What has the same one keeps its order among events that are taken together: those of one noun and one key. */
export const orderOf = ({ id }: EventDeclaration, key: string): string => `${id.split('.')[0]} ${key}`

/**
 * Reads an event as its consumer may trust it.
 * @throws PoisonEvent when it can never be handled: not an envelope, or data of another shape
 */
export function readEvent(event: EventDeclaration, payload: Uint8Array): EventEnvelope {
  let raw: unknown
  try {
    raw = decode(payload)
  } catch (cause) {
    throw new PoisonEvent('not JSON', { cause })
  }
  const envelope = EventEnvelope.safeParse(raw)
  if (!envelope.success) throw new PoisonEvent(`not an event envelope: ${envelope.error.message}`)
  const data = event.data.safeParse(envelope.data.data)
  if (!data.success) throw new PoisonEvent(`not ${eventName(event)}: ${data.error.message}`)
  return { ...envelope.data, data: data.data }
}

/** The same; undefined where it can never be handled. */
export function readableEvent(event: EventDeclaration, payload: Uint8Array): EventEnvelope | undefined {
  try {
    return readEvent(event, payload)
  } catch {
    return undefined
  }
}

const digest = (payload: Uint8Array) => createHash('sha256').update(payload).digest('hex').slice(0, 16)

/** The identity of an event for its dead letter, as far as it can be read. */
export function identify(payload: Uint8Array): { eventId: string; envelope: unknown } {
  try {
    const envelope = decode(payload)
    const id = EventEnvelope.shape.id.safeParse((envelope as { id?: unknown } | undefined)?.id)
    return { eventId: id.success ? id.data : `unreadable-${digest(payload)}`, envelope: envelope ?? null }
  } catch {
    return {
      eventId: `unreadable-${digest(payload)}`,
      envelope: { unreadable: Buffer.from(payload).toString('base64') },
    }
  }
}
