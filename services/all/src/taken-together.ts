import { MOST_IN_BATCH } from '@callboard/bus'
import type { EventEnvelope } from '@callboard/contract'
import { type Batch, handleBatch, type ServiceContext } from '@callboard/runtime'

/**
 * Gathers events that a consumer takes together, and hands over as many at a time as the bus would. What a consumer takes by
 * itself does not wait for them: consumers come to the same in whatever order they hear.
 */
export class TakenTogether {
  readonly #ctx: ServiceContext
  #batch: Batch | undefined
  #waiting: EventEnvelope[] = []

  constructor(ctx: ServiceContext) {
    this.#ctx = ctx
  }

  /** @returns how many events were handled by now that had not been before */
  async add(batch: Batch, envelope: EventEnvelope): Promise<number> {
    const handled = batch === this.#batch && this.#waiting.length < MOST_IN_BATCH ? 0 : await this.handle()
    this.#batch = batch
    this.#waiting.push(envelope)
    return handled
  }

  /** Hands over those that wait. @returns how many had not been handled before */
  async handle(): Promise<number> {
    const events = this.#waiting.splice(0)
    return this.#batch && events.length > 0 ? (await handleBatch(this.#batch, this.#ctx, events)).length : 0
  }
}
