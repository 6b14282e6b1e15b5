import { type EventDeclaration, EventEnvelope, eventName } from '@callboard/contract'
import { BusFault } from '../fault.ts'
import { decode } from '../wire.ts'
import type { DeadLetterSink } from './dead-letter.ts'
import type { EventBatcher } from './event-batcher.ts'

/**
 * Handles one event. Throwing means "again, later"; returning means "done for good". An event is not given up for a
 * BusFault `unavailable`: nothing is wrong with it, and it is handled once the store is back.
 */
export type EventHandler = (envelope: EventEnvelope) => Promise<void>

/** A service's interest in an event, from which a durable consumer is named. */
export interface ConsumerName {
  /** The service; its replicas share the work. */
  readonly service: string
  readonly event: EventDeclaration
}

/** One service's durable interest in one event. */
export interface Consumer extends ConsumerName {
  readonly handle: EventHandler
  readonly deadLetter: DeadLetterSink
  /** Passes events on in batches, and to `handle` only what cannot be batched; consumers may share it. */
  readonly batcher?: EventBatcher | undefined
}

export interface Consuming {
  /** Takes no new event, waits for those in flight (until the deadline), then resolves. */
  stop(deadlineMs: number): Promise<void>
}

/** What a consumer still has to finish. */
export interface ConsumerLag {
  /** Events waiting for it or in progress. */
  readonly events: number
  /** Those that were delivered before without being finished. */
  readonly redelivered: number
}

/** What a log stores, whether or not it was handled. */
export interface LogSize {
  readonly stream: string
  readonly events: number
  readonly bytes: number
  /** The most that it may store; beyond it the oldest events are dropped. Undefined: limited only by the server. */
  readonly limitBytes: number | undefined
}

/** Delivers events, at least once, to every service that consumes them. */
export interface EventLog {
  /** Resolves once the event can no longer be lost. */
  publish(envelope: EventEnvelope): Promise<void>
  /** Publishes events of one key in order. When it rejects, those before the failed one may be in the log. */
  publishInOrder(envelopes: readonly EventEnvelope[]): Promise<void>
  consume(consumer: Consumer): Promise<Consuming>
  /** Creates what the broker must hold for these consumers, and checks the result; part of the migration step. */
  prepare(consumers: readonly ConsumerName[]): Promise<void>
  /** Starts a new, empty log; needs the same right. */
  renew(consumers: readonly ConsumerName[]): Promise<void>
  /** What the broker lacks of that, in words; empty when nothing is missing. */
  lacks(consumers: readonly ConsumerName[]): Promise<string[]>
  /** How far behind a consumer is. */
  lag(consumer: ConsumerName): Promise<ConsumerLag>
  /** What the log stores; undefined where there is no broker. */
  size(): Promise<LogSize | undefined>
  /**
   * Which log `publish` writes to. When this changes (the broker lost its store, or another one is used), events
   * published before are not in it.
   */
  identity(): Promise<string>
  /** Which start of the broker's server answers this process now; undefined where there is no broker. */
  readonly server: string | undefined
}

/** Waits between attempts, in milliseconds; after the last the event is dead-lettered. */
export type Backoff = readonly number[]

export const DEFAULT_BACKOFF: Backoff = [200, 1_000, 5_000, 15_000, 60_000]

/** The durable name of a consumer: `catalog--listing-changed-v1`. NATS allows no dots in names. */
export const durableName = (consumer: ConsumerName): string =>
  `${consumer.service}--${eventName(consumer.event).replaceAll('.', '-')}`

/** Whether an event was not handled because a store is unavailable. */
export const isUnavailable = (error: unknown): boolean => error instanceof BusFault && error.kind === 'unavailable'

export class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent'
}

/** The ordering key within a batch: events of one noun and one key keep their order. */
export const orderOf = ({ id }: EventDeclaration, key: string): string => `${id.split('.')[0]} ${key}`

/**
 * Parses and validates an event for its consumer.
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
