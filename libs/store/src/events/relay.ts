import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Notifications } from '../notifications.ts'
import { lockWithin } from '../session-lock.ts'
import { statement } from '../statements/statement.ts'
import { sweepMs, WakeSignal } from '../wake-signal.ts'
import type { EventTables } from './event-tables.ts'
import { outboxChannel } from './outbox.ts'

/** An outbox row as the relay passes it to the bus. */
export interface WaitingEvent {
  readonly sequence: number
  readonly id: string
  readonly name: string
  readonly key: string
  readonly occurredAt: Date
  readonly traceparent: string | null
  readonly data: unknown
}

export interface RelaySettings {
  /** Where one connection is held for as long as the relay works. */
  readonly sessions: pg.Pool
  readonly schema: string
  readonly db: Kysely<EventTables>
  /** Publishes events of one key, in order; resolves when the bus has stored them. */
  readonly publish: (events: readonly WaitingEvent[]) => Promise<void>
  readonly onError: (error: unknown) => void
  /** Reports commits with events. */
  readonly notifications: Notifications
  /** How long to wait for them before checking anyway; about a minute by default: each outbox of an instance polls. */
  readonly sweepMs?: number
}

const BATCH = 1_000
/** The most keys whose events are being published at once. */
const IN_FLIGHT = 256
const RETRY_MS = 500
/** Poll interval while notifications do not arrive. */
const BEAT_MS = 1_000
const SWEEP_MS = 60_000
/** How long one attempt to get the lock waits for the relay that holds it. */
const STANDBY_MS = 10_000

/**
 * Moves events from the outbox to the bus in order, key by key, woken by the commits that write them. One relay per
 * schema works at a time, by an advisory lock; the others wait for its session to end, and take over at once. After a
 * crash between publish and mark, events are published again with the same id, and consumers' inboxes ignore them.
 */
export class OutboxRelay {
  readonly #settings: RelaySettings
  readonly #stopping = new AbortController()
  readonly #wake = new WakeSignal()
  #running: Promise<void> = Promise.resolve()
  /** Callbacks that end what the relay is waiting for. */
  readonly #leaves = new Set<() => void>()

  constructor(settings: RelaySettings) {
    this.#settings = settings
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const leave of this.#leaves) leave()
    this.#wake.raise()
    await this.#running
  }

  async #run(): Promise<void> {
    const { notifications, schema, onError } = this.#settings
    const end = notifications.subscribe(outboxChannel(schema), () => this.#wake.raise())
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#serveOneSession()
      } catch (error) {
        if (this.#stopping.signal.aborted) break
        onError(error)
        await wait(RETRY_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
      }
    }
    end()
  }

  /** Holds a connection and, once it has the lock, relays until the connection or the service ends. */
  async #serveOneSession(): Promise<void> {
    const client = await this.#settings.sessions.connect()
    let lost: Error | undefined
    const lose = (error?: Error) => {
      lost ??= error ?? new Error('The relay’s connection ended')
      this.#wake.raise()
    }
    client.on('error', lose)
    client.on('end', lose)
    try {
      const isLeading = await this.#lead(client)
      while (isLeading && !this.#stopping.signal.aborted) {
        if (lost) throw lost
        const moved = await this.#moveBatch()
        if (moved < BATCH) await this.#wake.raised(this.#restMs())
      }
    } finally {
      client.removeListener('end', lose)
      client.release(true)
    }
  }

  /** Waits until no other relay works. @returns false when it should stop */
  async #lead(client: pg.PoolClient): Promise<boolean> {
    while (!this.#stopping.signal.aborted) {
      const locked = lockWithin(client, `hashtext('outbox'), hashtext(current_schema())`, STANDBY_MS)
      // A stop ends the connection, and the lock attempt with it.
      locked.catch(() => {})
      if (await this.#unlessStopped(locked)) return true
    }
    return false
  }

  #restMs(): number {
    const { notifications, sweepMs: own = sweepMs(SWEEP_MS) } = this.#settings
    return notifications.arrive ? own : BEAT_MS
  }

  async #moveBatch(): Promise<number> {
    const { rows } = await statement<{
      sequence: number
      id: string
      name: string
      key: string
      occurred_at: Date
      traceparent: string | null
      data: unknown
      log: string | null
    }>`select sequence, id, name, key, occurred_at, traceparent, data, (select identity from event_log) as log
       from outbox where published_at is null order by sequence limit ${BATCH}`.execute(this.#settings.db)
    const events = rows.map(({ occurred_at, log: _, ...row }) => ({ ...row, occurredAt: occurred_at }))
    const ofOneKey = Map.groupBy(events, ({ name, key }) => `${name.split('.')[0]}:${key}`).values()
    const marks = new PublishedMarks(this.#settings.db, rows[0]?.log ?? null)
    let failed = false
    const lanes = Array.from({ length: IN_FLIGHT }, async () => {
      for (const inOrder of ofOneKey) {
        if (failed || !(await this.#publish(inOrder))) return
        for (const { sequence } of inOrder) marks.add(sequence)
      }
    })
    const ended = await Promise.allSettled(
      lanes.map((lane) =>
        lane.catch((error: unknown) => {
          failed = true
          throw error
        }),
      ),
    )
    await marks.written()
    const lost = ended.find(({ status }) => status === 'rejected')
    if (lost?.status === 'rejected') throw lost.reason
    return rows.length
  }

  /** @returns false if the relay stops meanwhile */
  async #publish(inOrder: readonly WaitingEvent[]): Promise<boolean> {
    if (this.#stopping.signal.aborted) return false
    const published = this.#settings.publish(inOrder).then(() => true)
    const done = await this.#unlessStopped(published)
    if (!done) published.catch(() => {})
    return done
  }

  /**
   * Does not wait for work in progress once the relay stops; an event is published again later. Each wait has a promise
   * of its own: one that lives as long as the relay would retain every race ever run against it.
   */
  async #unlessStopped(work: Promise<boolean>): Promise<boolean> {
    const { promise: left, resolve } = Promise.withResolvers<false>()
    const leave = () => resolve(false)
    this.#leaves.add(leave)
    try {
      return await Promise.race([work, left])
    } finally {
      this.#leaves.delete(leave)
    }
  }
}

/**
 * Marks events as published: everything collected so far in one statement, and more while it runs. No caller waits for
 * a single event's mark: after a crash unmarked events are published again. If the outbox meanwhile goes to another log
 * (see `adoptLog`), nothing is marked: the new log must get what the old one got.
 */
class PublishedMarks {
  readonly #db: Kysely<EventTables>
  readonly #log: string | null
  #waiting: number[] = []
  #writing: Promise<void> | undefined

  constructor(db: Kysely<EventTables>, log: string | null) {
    this.#db = db
    this.#log = log
  }

  add(sequence: number): void {
    this.#waiting.push(sequence)
    if (this.#writing) return
    this.#writing = this.#write()
    // `written` throws the failure.
    this.#writing.catch(() => {})
  }

  /** Resolves when everything added is written. */
  async written(): Promise<void> {
    await this.#writing
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const sequences = this.#waiting.splice(0)
      await statement`
        update outbox set published_at = now()
        where sequence = any(${sequences}) and (select identity from event_log) is not distinct from ${this.#log}`.execute(
        this.#db,
      )
    }
    this.#writing = undefined
  }
}
