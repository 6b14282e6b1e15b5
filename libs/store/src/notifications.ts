import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Url } from './database.ts'
import { WakeSignal } from './wake-signal.ts'

/**
 * Why a subscriber is woken: `notified` a commit said so · `look` it is to look at once, whatever it waits for: the
 * connection came back or is lost, so that commits may have gone unnoticed, or this process knows of work.
 */
export type WakeCause = 'notified' | 'look'
export type Wake = (cause: WakeCause) => void

export interface NotificationsSettings {
  /** Postgres itself, and who signs in: a pooler of transactions carries none. */
  readonly url: Url
  /** Over which it is proven that notifications arrive: another connection than the one that listens. */
  readonly pool: pg.Pool
  readonly onError: (error: Error) => void
  /** How often that is proven. Milliseconds. */
  readonly proofMs?: number
}

const RETRY_MS = 500
const PROOF_MS = 30_000
const ARRIVES_WITHIN_MS = 5_000

/** Postgres took `listen`, and what another connection notified did not arrive: a pooler stands between. */
class NothingArrives extends Error {
  override readonly name = 'NothingArrives'
}

/**
 * Postgres' notifications, over one connection for the whole process. They only say when to look: one may be lost, so who
 * waits for them looks from time to time anyway, on the sweep while `arrive` is true and on its own beat while it is not.
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

  /** Has `wake` called whenever the channel is notified, and once it is listened to. @returns ends it */
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

  /** One statement after the other: a connection has one at a time. */
  #listening(client: pg.Client, channels: readonly string[]): Promise<unknown> {
    const text = channels.map((channel) => `listen ${pg.escapeIdentifier(channel)}`).join('; ')
    const done = this.#listened.then(() => client.query(text))
    this.#listened = done.catch(() => {})
    return done
  }

  /** Wakes the subscribers of this process alone. */
  wake(channel: string, cause: WakeCause): void {
    for (const wake of this.#subscribers.get(channel) ?? []) wake(cause)
  }

  /** Has every subscriber look. */
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

  /** Listens for as long as notifications arrive. @returns what ended it */
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
    // Nothing will be heard any more: who waits for it would keep a process that has stopped from ending.
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

  /** Whether what another connection notifies is heard here. */
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
