import { type Notifications, sweepMs, type WakeCause, WakeSignal } from '@callboard/store'
import { nextPollAt } from './next-poll.ts'

/** What a job waits for. */
export interface Waking {
  /** Channels of Postgres: a notification is a reason to poll. */
  readonly channels: readonly string[]
  /** The least time between two polls, and the interval while notifications do not arrive. Milliseconds. */
  readonly pollMs: number
  /** The earliest that something comes due after its notification. Milliseconds; default 0. */
  readonly dueAfterMs?: number
  /**
   * How often it polls without a reason, give or take a quarter: the longest that a lost notification goes unnoticed.
   * Milliseconds; default half a minute.
   */
  readonly sweepMs?: number
}

/** When a job polls: woken by commits, when something is due, on a slow sweep, or at its interval without notifications. */
export class PollTimer {
  readonly #notifications: Notifications
  readonly #waking: Waking
  readonly #signal = new WakeSignal()
  readonly #ends: readonly (() => void)[]
  #beganAt = 0
  #notifiedAt = Number.NEGATIVE_INFINITY
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(notifications: Notifications, waking: Waking) {
    this.#notifications = notifications
    this.#waking = waking
    this.#ends = waking.channels.map((channel) => notifications.subscribe(channel, (cause) => this.wake(cause)))
  }

  wake(cause: WakeCause): void {
    if (cause === 'notified') this.#notifiedAt = performance.now()
    else this.#askedAt = performance.now()
    this.#signal.raise()
  }

  /** Marks the start of a poll: it may miss what is committed from now on. */
  begin(): void {
    this.#beganAt = performance.now()
  }

  /** Resolves when it is time to poll again, or on abort. @param dueInMs undefined where nothing waits */
  async next(dueInMs: number | undefined, signal: AbortSignal): Promise<void> {
    const [endedAt, sweep] = [performance.now(), sweepMs(this.#waking.sweepMs)]
    const abort = () => this.#signal.raise()
    signal.addEventListener('abort', abort, { once: true })
    while (!signal.aborted) {
      const leftMs = this.#nextAt(endedAt, dueInMs, sweep) - performance.now()
      if (leftMs <= 0) break
      await this.#signal.raised(leftMs)
    }
    signal.removeEventListener('abort', abort)
  }

  #nextAt(endedAt: number, dueInMs: number | undefined, sweep: number): number {
    const { pollMs, dueAfterMs = 0 } = this.#waking
    return nextPollAt({
      ...{ beganAt: this.#beganAt, endedAt, dueInMs, notifiedAt: this.#notifiedAt, askedAt: this.#askedAt },
      ...{ dueAfterMs, pollMs, sweepMs: sweep, arrive: this.#notifications.arrive },
    })
  }

  end(): void {
    for (const end of this.#ends) end()
  }
}
