import type { Counters } from '@callboard/store'
import { type Clock, keepNewest, MINUTE_MS } from '@callboard/values'
import { showEpoch } from './revocation.ts'

/** For so long a number that was shown counts as shown: the counter stands for a day. */
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
 * The epochs that this process has shown to the gateways lately, which it need not show again for each that asks. A number
 * that was raised meanwhile, or a counter that is gone, does no harm: a gateway reads the counter whenever it uses an answer,
 * and one that does not show the answer's number voids it. Revocations are always shown.
 */
export class ShownEpochs {
  readonly #shown = new Map<string, Shown>()

  /** Shows an epoch, unless it was lately. @returns the number that stands, or stood then */
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
