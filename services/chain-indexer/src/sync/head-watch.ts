import { HeadSubscription } from '@callboard/evm'
import { pause } from '@callboard/runtime'
import { WakeSignal } from '@callboard/store'
import type { FollowedChain } from '../followed-chain.ts'

/** The longest sleep while heads are pushed and none comes; in intervals, where another endpoint may know more. */
const LONGEST_MS = 30_000
const LONGEST_BEATS = 10
/** Blocks to wait for at first while heads are pushed. */
const PATIENCE_BLOCKS = 2
/** A pushed block is read a moment later: meanwhile its payments are recorded and answered, which callers wait for. */
const AFTER_PUSH_MS = 50

/**
 * When to check for a chain's next block: when its node pushes a head; and also, as a push may be lost, after a pause
 * that doubles while nothing moves. Where the node pushes none, or another endpoint is in use, at every interval.
 */
export class HeadWatch {
  readonly #followed: FollowedChain
  readonly #leastMs: number
  readonly #pollMs: number
  readonly #heads: HeadSubscription | undefined
  readonly #pushed = new WakeSignal()
  #sleepMs: number

  /** @param leastMs least time between two checks, regardless of pushes */
  constructor(followed: FollowedChain, leastMs: number) {
    this.#followed = followed
    this.#leastMs = leastMs
    this.#pollMs = Math.max(leastMs, followed.chain.blockTimeMs / 2)
    this.#sleepMs = this.#firstMs
    if (followed.headsUrl) this.#heads = new HeadSubscription(followed.headsUrl, () => this.#pushed.raise())
    this.#heads?.start()
  }

  get pollMs(): number {
    return this.#pollMs
  }

  get #firstMs(): number {
    return Math.max(this.#pollMs, PATIENCE_BLOCKS * this.#followed.chain.blockTimeMs)
  }

  /** The chain moved: the next head is expected on time. */
  moved(): void {
    this.#sleepMs = this.#firstMs
  }

  get #longestMs(): number {
    return this.#followed.providers.areSeveral ? Math.min(LONGEST_MS, LONGEST_BEATS * this.#pollMs) : LONGEST_MS
  }

  /** Resolves when it is time to check, or at the abort. */
  async next(signal: AbortSignal): Promise<void> {
    const began = performance.now()
    const wake = () => this.#pushed.raise()
    signal.addEventListener('abort', wake, { once: true })
    const { providers } = this.#followed
    const isPushed = this.#heads?.isHeld === true && providers.usesPreferred
    await this.#pushed.raised(isPushed ? this.#sleepMs : Math.max(this.#pollMs, providers.restMs()))
    signal.removeEventListener('abort', wake)
    if (isPushed) this.#sleepMs = Math.min(this.#longestMs, this.#sleepMs * 2)
    // Pushes that arrive meanwhile are combined into one check.
    await pause(Math.max(isPushed ? AFTER_PUSH_MS : 0, this.#leastMs - (performance.now() - began)), signal)
  }

  end(): void {
    this.#heads?.stop()
  }
}
