import type { Counters } from '@callboard/store'
import { type Clock, keepNewest, MINUTE_MS } from '@callboard/values'
import { showEpoch } from './revocation.ts'

/** How long a number counts as shown; the counter itself lasts a day. */
const LATELY_MS = MINUTE_MS
const MOST_KEPT = 10_000

interface Shows {
  readonly counters: Counters
  readonly clock: Clock
}

interface Shown {
  readonly epoch: number
  readonly until: number
  /** How often the counters had been lost before it was shown. */
  readonly losses: number
}

/**
 * The epochs that this process recently showed to the gateways, so that it need not show them again for each request.
 * If a number was raised in the meantime, or a counter is gone, that does no harm: a gateway reads the counter whenever
 * it uses an answer, and a counter with another number voids the answer. Revocations are always shown.
 */
export class ShownEpochs {
  readonly #shown = new Map<string, Shown>()

  /** Shows an epoch, unless that was done recently. @returns the current number, or the one at that time */
  async show(ctx: Shows, key: string, epoch: number): Promise<number> {
    const losses = ctx.counters.losses()
    const now = ctx.clock.now()
    const known = this.#shown.get(key)
    if (known && known.epoch === epoch && known.losses === losses && known.until > now) return epoch
    const shown = await showEpoch(ctx, key, epoch)
    if (shown === epoch) keepNewest(this.#shown, key, { epoch, until: now + LATELY_MS, losses }, MOST_KEPT)
    else this.#shown.delete(key)
    return shown
  }
}
