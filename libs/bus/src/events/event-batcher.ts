import type { EventEnvelope } from '@callboard/contract'
import { KeyOrder } from './key-order.ts'

/** The most events handled in one batch. */
export const MOST_IN_BATCH = 64

/** An event on its way to a consumer that takes batches. */
export interface BatchedEvent {
  /** Events of one key keep their order. */
  readonly key: string
  readonly envelope: EventEnvelope
  /** Handles it on its own, including everything that follows a failure. */
  readonly alone: () => Promise<void>
}

export interface EventBatcherSettings {
  /** How long the first event waits for others, in milliseconds; 0: the batch holds what arrived with it. */
  readonly lingerMs: number
  /** Handles all of them, or throws and has handled none. */
  readonly handle: (events: readonly EventEnvelope[]) => Promise<void>
  readonly most?: number
}

interface Waiting extends BatchedEvent {
  readonly since: number
  /** Reports whether it was handled in a batch. */
  readonly settle: (inBatch: boolean | Promise<boolean>) => void
}

/**
 * Collects events of one or several kinds for a consumer, and passes them on in batches, one batch at a time and in
 * order of arrival. If a batch fails, each of its events is passed on alone, so that one bad event does not affect the
 * others; until such an event is done, later events of its key wait for it.
 */
export class EventBatcher {
  readonly #settings: EventBatcherSettings
  readonly #most: number
  readonly #alone = new KeyOrder()
  #waiting: Waiting[] = []
  #batch: { readonly keys: ReadonlySet<string>; readonly ended: Promise<void> } | undefined
  #isRunning = false
  #isHurried = false
  #wake = () => {}

  constructor(settings: EventBatcherSettings) {
    this.#settings = settings
    this.#most = settings.most ?? MOST_IN_BATCH
  }

  /** Adds an event. @returns true when it was handled in a batch, false when `alone` handled it */
  add(event: BatchedEvent): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#waiting.push({ ...event, since: performance.now(), settle: resolve })
    if (this.#waiting.length >= this.#most) this.#wake()
    if (!this.#isRunning) void this.#run()
    return promise
  }

  /** Runs the work of an event that must be handled alone, in the order of its key. */
  async alone(key: string, work: () => Promise<void>): Promise<false> {
    const batch = this.#batch?.keys.has(key) ? this.#batch.ended : undefined
    await this.#alone.run(key, async () => {
      await batch
      await work()
    })
    return false
  }

  /** Stops waiting for further events, because the consumer is stopping. */
  hurry(): void {
    this.#isHurried = true
    this.#wake()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) {
      await this.#linger()
      const next = this.#waiting.splice(0, this.#most)
      const isFree = ({ key }: BatchedEvent) => !this.#alone.isBusy(key)
      const [free, behind] = [next.filter(isFree), next.filter((event) => !isFree(event))]
      for (const event of behind) event.settle(this.alone(event.key, event.alone))
      if (free.length > 1) await this.#handle(free)
      else for (const event of free) event.settle(this.alone(event.key, event.alone))
    }
    this.#isRunning = false
  }

  async #linger(): Promise<void> {
    const [first] = this.#waiting
    if (!first || this.#isHurried || this.#waiting.length >= this.#most) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const leftMs = this.#settings.lingerMs - (performance.now() - first.since)
    if (leftMs <= 0) setImmediate(resolve)
    const timer = leftMs > 0 ? setTimeout(resolve, leftMs) : undefined
    this.#wake = resolve
    await promise
    clearTimeout(timer)
  }

  async #handle(batch: readonly Waiting[]): Promise<void> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    this.#batch = { keys: new Set(batch.map(({ key }) => key)), ended }
    try {
      await this.#settings.handle(batch.map(({ envelope }) => envelope))
      for (const event of batch) event.settle(true)
    } catch {
      for (const event of batch) event.settle(this.alone(event.key, event.alone))
    }
    this.#batch = undefined
    end()
  }
}
