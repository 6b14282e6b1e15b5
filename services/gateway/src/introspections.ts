import { createHash } from 'node:crypto'
import type { Caller, InputOf, OutputOf, oauth, ResultOf } from '@callboard/contract'
import type { Counters } from '@callboard/store'
import type { Clock } from '@callboard/values'
import { isRefusal } from '@callboard/values'

type Answer = OutputOf<typeof oauth.introspect>
type Ask = (input: InputOf<typeof oauth.introspect>) => Promise<ResultOf<typeof oauth.introspect>>

interface Kept {
  readonly answer: Extract<Answer, { active: true }>
  readonly until: number
  /** How often the counters had been lost when it was asked for. */
  readonly losses: number
}

const MOST_KEPT = 10_000

/**
 * What oauth said of credentials, kept for a short time. A kept answer counts only while the owner's epoch counter
 * still shows the number the answer was given under; a revocation raises that counter before it is acknowledged, so no
 * cache outlives it. Where the counter cannot be read, and once the counters were lost, nothing that was kept before is
 * used: a revocation that could not be shown then counts afterwards.
 */
export class Introspections {
  readonly #kept = new Map<string, Kept>()
  readonly #counters: Counters
  readonly #clock: Clock

  constructor(counters: Counters, clock: Clock) {
    this.#counters = counters
    this.#clock = clock
  }

  /** The caller behind a credential, or undefined when it is worth nothing. @throws BusFault when oauth is away */
  async callerOf(credential: string, kind: 'bearer' | 'session', ask: Ask): Promise<Caller | undefined> {
    const key = createHash('sha256').update(`${kind} ${credential}`).digest('base64')
    const kept = await this.#stillGood(key)
    if (kept) return kept.caller
    const losses = this.#counters.losses()
    const answer = await ask({ credential, kind })
    if (isRefusal(answer) || !answer.active) return undefined
    if (answer.cacheMs > 0) this.#keep(key, { answer, until: this.#clock.now() + answer.cacheMs, losses })
    return answer.caller
  }

  async #stillGood(key: string): Promise<Kept['answer'] | undefined> {
    const kept = this.#kept.get(key)
    if (!kept) return undefined
    const { answer, until, losses } = kept
    const epoch = until > this.#clock.now() ? await this.#epoch(answer.epochKey) : undefined
    if (epoch === answer.epoch && losses === this.#counters.losses()) return answer
    this.#kept.delete(key)
    return undefined
  }

  async #epoch(key: string): Promise<number | undefined> {
    try {
      return await this.#counters.number(key)
    } catch {
      this.#kept.clear()
      return undefined
    }
  }

  #keep(key: string, kept: Kept): void {
    if (this.#kept.size >= MOST_KEPT) {
      const oldest = this.#kept.keys().next()
      if (!oldest.done) this.#kept.delete(oldest.value)
    }
    this.#kept.set(key, kept)
  }
}
