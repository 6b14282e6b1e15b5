import { MOST_IN_BATCH } from '@callboard/bus'
import type { EventEnvelope } from '@callboard/contract'
import { type Batch, handleBatch, type ServiceContext } from '@callboard/runtime'

/**
 * Collects events that a consumer takes in batches, and passes on as many at a time as the bus would. Events that a
 * consumer takes singly do not wait for them: the order does not affect the result.
 */
export class TakenTogether {
  readonly #ctx: ServiceContext
  #batch: Batch | undefined
  #waiting: EventEnvelope[] = []

  constructor(ctx: ServiceContext) {
    this.#ctx = ctx
  }

  /** @returns how many events have been handled by now that were new */
  async add(batch: Batch, envelope: EventEnvelope): Promise<number> {
    const handled = batch === this.#batch && this.#waiting.length < MOST_IN_BATCH ? 0 : await this.handle()
    this.#batch = batch
    this.#waiting.push(envelope)
    return handled
  }

  /** Passes on the waiting events. @returns how many were new */
  async handle(): Promise<number> {
    const events = this.#waiting.splice(0)
    return this.#batch && events.length > 0 ? (await handleBatch(this.#batch, this.#ctx, events)).length : 0
  }
}
