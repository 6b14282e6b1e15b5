import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Url } from './database.ts'
import { WakeSignal } from './wake-signal.ts'

/**
 * Why a subscriber is woken. `notified`: by a commit. `look`: it must check at once, whatever it waits for: the
 * connection returned or is lost, so that commits may have gone unnoticed, or this process knows of work.
 */
export type WakeCause = 'notified' | 'look'
export type Wake = (cause: WakeCause) => void

export interface NotificationsSettings {
  /** Postgres itself, and the credentials: a transaction pooler delivers no notifications. */
  readonly url: Url
  /** Used to prove that notifications arrive: separate from the connection that listens. */
  readonly pool: pg.Pool
  readonly onError: (error: Error) => void
  /** Interval of that proof. Milliseconds. */
  readonly proofMs?: number
}

const RETRY_MS = 500
const PROOF_MS = 30_000
const ARRIVES_WITHIN_MS = 5_000

/** Postgres accepted `listen`, but a notification from another connection did not arrive: a pooler is in between. */
class NothingArrives extends Error {
  override readonly name = 'NothingArrives'
}

/**
 * Postgres notifications, over one connection for the whole process. They only say when to check: one may be lost, so
 * waiters also check periodically, on the sweep while `arrive` is true and on their own shorter beat while it is not.
 */
export class Notifications {
  readonly #settings: NotificationsSettings
  readonly #subscribers = new Map<string, Set<Wake>>()
  readonly #echoChannel = `echo_${randomUUID().replaceAll('-', '')}`
  readonly #rest = new WakeSignal()
  #client: pg.Client | undefined
  #echo: (text: string) => void = () => {}
  #heard = new WakeSignal()
  #end: () => void = () => {}
  #listened: Promise<unknown> = Promise.resolve()
  #arrive = false
  #stopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(settings: NotificationsSettings) {
    this.#settings = settings
  }

  /** Whether notifications are known to arrive. */
  get arrive(): boolean {
    return this.#arrive
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#end()
    this.#rest.raise()
    await this.#running
  }

  /** Calls `wake` whenever the channel is notified, and once listening begins. @returns ends it */
  subscribe(channel: string, wake: Wake): () => void {
    const wakes = this.#subscribers.get(channel) ?? new Set()
    this.#subscribers.set(channel, wakes.add(wake))
    const client = this.#client
    if (client)
      void this.#listening(client, [channel]).then(
        () => wake('look'),
        () => {},
      )
    return () => wakes.delete(wake)
  }

  /** One statement after the other: a connection runs one at a time. */
  #listening(client: pg.Client, channels: readonly string[]): Promise<unknown> {
    const text = channels.map((channel) => `listen ${pg.escapeIdentifier(channel)}`).join('; ')
    const done = this.#listened.then(() => client.query(text))
    this.#listened = done.catch(() => {})
    return done
  }

  /** Wakes only the subscribers of this process. */
  wake(channel: string, cause: WakeCause): void {
    for (const wake of this.#subscribers.get(channel) ?? []) wake(cause)
  }

  /** Makes every subscriber check. */
  wakeAll(): void {
    for (const wakes of this.#subscribers.values()) for (const wake of wakes) wake('look')
  }

  async #run(): Promise<void> {
    let told = false
    while (!this.#stopped) {
      const error = await this.#session()
      const fell = this.#arrive
      this.#arrive = false
      if (this.#stopped) return
      if (fell) this.wakeAll()
      if (fell || !told) this.#settings.onError(error)
      told = true
      await this.#rest.raised(error instanceof NothingArrives ? this.#proofMs : RETRY_MS)
    }
  }

  get #proofMs(): number {
    return this.#settings.proofMs ?? PROOF_MS
  }

  /** Listens for as long as notifications arrive. @returns the error that ended it */
  async #session(): Promise<Error> {
    const { url } = this.#settings
    const client = new pg.Client({
      connectionString: typeof url === 'string' ? url : url(),
      application_name: 'callboard-listener',
      connectionTimeoutMillis: 5_000,
      statement_timeout: 15_000,
      keepAlive: true,
    })
    const { promise: lost, resolve: lose } = Promise.withResolvers<Error>()
    client.on('error', lose)
    client.once('end', () => lose(new Error('The connection that listens ended')))
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === this.#echoChannel) this.#echo(payload)
      else this.wake(channel, 'notified')
    })
    this.#end = () => lose(new Error('The service stops'))
    if (this.#stopped) this.#end()
    const ended = await Promise.race([lost, this.#listen(client).catch(asError)])
    this.#client = undefined
    // Nothing will be heard any more, and a pending wait would keep a stopped process alive.
    this.#heard.raise()
    void client.end().catch(() => {})
    return ended
  }

  async #listen(client: pg.Client): Promise<Error> {
    await client.connect()
    this.#client = client
    await this.#listening(client, [this.#echoChannel, ...this.#subscribers.keys()])
    while (await this.#arrives()) {
      if (this.#client !== client) break
      if (!this.#arrive) {
        this.#arrive = true
        this.wakeAll()
      }
      await wait(this.#proofMs, undefined, { ref: false })
      if (this.#client !== client) break
    }
    return new NothingArrives('Notifications do not arrive: what waits for them looks on its beat')
  }

  /** Whether a notification from another connection is received here. */
  async #arrives(): Promise<boolean> {
    const text = randomUUID()
    const heard = new WakeSignal()
    this.#heard = heard
    if (!this.#client) return false
    this.#echo = (payload) => payload === text && heard.raise()
    await this.#settings.pool.query('select pg_notify($1, $2)', [this.#echoChannel, text])
    return heard.raised(ARRIVES_WITHIN_MS)
  }
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
