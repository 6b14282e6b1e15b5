import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import type { EventTables } from './event-tables.ts'
import { outboxChannel } from './outbox.ts'

/** An outbox row as the relay hands it to the bus. */
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
  readonly pool: pg.Pool
  readonly schema: string
  readonly db: Kysely<EventTables>
  /** Gives one event to the bus; resolves when the bus has it for good. */
  readonly publish: (event: WaitingEvent) => Promise<void>
  readonly onError: (error: unknown) => void
  /** How long to wait for a wake-up before looking anyway. */
  readonly pollMs?: number
}

const BATCH = 256
const RETRY_MS = 500

/**
 * Moves events from the outbox to the bus in their order, key by key. One relay per schema works at a time, by an
 * advisory lock; the others wait for its session to end. A crash between publish and mark publishes again, with the
 * same id, and the consumers' inboxes absorb it.
 */
export class OutboxRelay {
  readonly #settings: RelaySettings
  readonly #stopping = new AbortController()
  #wake: () => void = () => {}
  #running: Promise<void> = Promise.resolve()
  /** Resolves when the relay stops: what is being published then is not waited for, and published again later. */
  readonly #stopped = new Promise<false>((resolve) => {
    this.#stopping.signal.addEventListener('abort', () => resolve(false), { once: true })
  })

  constructor(settings: RelaySettings) {
    this.#settings = settings
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#serveOneSession()
      } catch (error) {
        this.#settings.onError(error)
        await this.#pause(RETRY_MS)
      }
    }
  }

  /** Holds a connection that listens and, once it has the lock, relays until the connection or the service ends. */
  async #serveOneSession(): Promise<void> {
    const client = await this.#settings.pool.connect()
    let lost: Error | undefined
    const lose = (error?: Error) => {
      lost ??= error ?? new Error('The relay’s connection ended')
      this.#wake()
    }
    client.on('error', lose)
    client.on('end', lose)
    client.on('notification', () => this.#wake())
    try {
      await client.query(`listen ${outboxChannel(this.#settings.schema)}`)
      let leading = false
      while (!this.#stopping.signal.aborted) {
        if (lost) throw lost
        leading ||= await tryLock(client)
        const moved = leading ? await this.#moveBatch() : 0
        if (moved < BATCH) await this.#pause(this.#settings.pollMs ?? 1_000)
      }
    } finally {
      client.removeListener('end', lose)
      client.release(true)
    }
  }

  async #moveBatch(): Promise<number> {
    const { rows } = await sql<{
      sequence: number
      id: string
      name: string
      key: string
      occurred_at: Date
      traceparent: string | null
      data: unknown
    }>`select sequence, id, name, key, occurred_at, traceparent, data
       from outbox where published_at is null order by sequence limit ${BATCH}`.execute(this.#settings.db)
    const byKey = Map.groupBy(rows, (row) => `${row.name.split('.')[0]}:${row.key}`)
    await Promise.all(
      [...byKey.values()].map(async (ofOneKey) => {
        for (const { occurred_at, ...row } of ofOneKey) {
          if (this.#stopping.signal.aborted) return
          const published = this.#settings.publish({ ...row, occurredAt: occurred_at }).then(() => true)
          if (!(await Promise.race([published, this.#stopped]))) return void published.catch(() => {})
          await sql`update outbox set published_at = now() where sequence = ${row.sequence}`.execute(this.#settings.db)
        }
      }),
    )
    return rows.length
  }

  #pause(ms: number): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

async function tryLock(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_lock(hashtext('outbox'), hashtext(current_schema())) as locked`,
  )
  return rows[0]?.locked ?? false
}
