import type { EventEnvelope } from '@callboard/contract'
import { KeyOrder } from './key-order.ts'

/** The most events that are handled together. */
export const MOST_IN_BATCH = 64

/** An event on its way to a consumer that takes several together. */
export interface BatchedEvent {
  /** Events of one key keep their order. */
  readonly key: string
  readonly envelope: EventEnvelope
  /** Handles it by itself, with all that follows when that fails. */
  readonly alone: () => Promise<void>
}

export interface EventBatcherSettings {
  /** How long the first event waits for others. Milliseconds; 0: it takes along what has arrived with it. */
  readonly lingerMs: number
  /** Handles all of them, or throws and has handled none. */
  readonly handle: (events: readonly EventEnvelope[]) => Promise<void>
  readonly most?: number
}

interface Waiting extends BatchedEvent {
  readonly since: number
  /** Says whether it was handled with others. */
  readonly settle: (inBatch: boolean | Promise<boolean>) => void
}

/**
 * Gathers events for a consumer, of one kind or several, and hands them over in batches, one batch at a time and in the order
 * in which they came. When a batch fails each of its events is handed over by itself, so that one that cannot be handled
 * takes no other with it; until such an event is done with, those of its key that come later wait for it.
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

  /** Takes an event. @returns true when it was handled with others, false when `alone` has seen to it */
  add(event: BatchedEvent): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#waiting.push({ ...event, since: performance.now(), settle: resolve })
    if (this.#waiting.length >= this.#most) this.#wake()
    if (!this.#isRunning) void this.#run()
    return promise
  }

  /** Runs the work of an event that is to be handled by itself, in the order of its key. */
  async alone(key: string, work: () => Promise<void>): Promise<false> {
    const batch = this.#batch?.keys.has(key) ? this.#batch.ended : undefined
    await this.#alone.run(key, async () => {
      await batch
      await work()
    })
    return false
  }

  /** Lets nothing wait for others any more: the consumer stops. */
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
