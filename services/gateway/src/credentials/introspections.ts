import { createHash } from 'node:crypto'
import type { Caller, InputOf, OutputOf, oauth, ResultOf } from '@callboard/contract'
import type { Counters } from '@callboard/store'
import { type Clock, isRefusal, keepNewest, MINUTE_MS } from '@callboard/values'

type Answer = OutputOf<typeof oauth.introspect>
type Ask = (input: InputOf<typeof oauth.introspect>) => Promise<ResultOf<typeof oauth.introspect>>

interface Kept {
  readonly answer: Extract<Answer, { active: true }>
  readonly until: number
  /** How often the counters had been lost when it was asked for. */
  readonly losses: number
}

/** What a credential turned out to be worth. */
interface Worth {
  readonly caller: Caller | undefined
  /** Set when the credential was not examined: when it may come again. */
  readonly retryAfterSeconds?: number
}

interface Questions {
  readonly ask: Ask
  /** Asked before a credential of which nothing is known is looked at. @returns seconds to wait, or undefined */
  readonly restOf: () => Promise<number | undefined>
}

const MOST_KEPT = 10_000
/** A secret that oauth does not know or has ended never becomes good; the time only bounds what a restored backup changes. */
const DEAD_MS = MINUTE_MS

/**
 * What oauth said of credentials, kept for a short time. A kept answer counts only while the owner's epoch counter
 * still shows the number the answer was given under; a revocation raises that counter before it is acknowledged, so no
 * cache outlives it. Where the counter cannot be read, and once the counters were lost, nothing that was kept before is
 * used: a revocation that could not be shown then counts afterwards.
 *
 * A credential that was dead is not asked about again for a minute, and one that was good here is no guess: it is asked
 * about whatever else came from its address (docs/adr/0046).
 */
export class Introspections {
  readonly #kept = new Map<string, Kept>()
  readonly #good = new Map<string, true>()
  /** Until when a credential counts as dead. */
  readonly #dead = new Map<string, number>()
  /** First looks that are under way. */
  readonly #looks = new Map<string, Promise<unknown>>()
  readonly #counters: Counters
  readonly #clock: Clock

  constructor(counters: Counters, clock: Clock) {
    this.#counters = counters
    this.#clock = clock
  }

  /** Whom a credential speaks for. @throws BusFault when oauth is unavailable */
  async worthOf(credential: string, kind: 'bearer' | 'session', questions: Questions): Promise<Worth> {
    const key = createHash('sha256').update(`${kind} ${credential}`).digest('base64')
    // Not the other's answer, which a revocation may have overtaken: only whether this is a guess.
    await this.#looks.get(key)?.catch(() => undefined)
    const kept = await this.#stillGood(key)
    if (kept) return { caller: kept.caller }
    if ((this.#dead.get(key) ?? 0) > this.#clock.now()) return { caller: undefined }
    const input = { credential, kind }
    if (this.#good.has(key)) return this.#look(key, input, questions.ask)
    const look = this.#firstLook(key, input, questions)
    this.#looks.set(key, look)
    return look.finally(() => {
      if (this.#looks.get(key) === look) this.#looks.delete(key)
    })
  }

  async #firstLook(key: string, input: InputOf<typeof oauth.introspect>, { ask, restOf }: Questions): Promise<Worth> {
    const retryAfterSeconds = await restOf()
    return retryAfterSeconds === undefined ? this.#look(key, input, ask) : { caller: undefined, retryAfterSeconds }
  }

  async #look(key: string, input: InputOf<typeof oauth.introspect>, ask: Ask): Promise<Worth> {
    const losses = this.#counters.losses()
    const answer = await ask(input)
    if (isRefusal(answer)) return { caller: undefined }
    if (!answer.active) {
      this.#good.delete(key)
      keepNewest(this.#dead, key, this.#clock.now() + DEAD_MS, MOST_KEPT)
      return { caller: undefined }
    }
    keepNewest(this.#good, key, true, MOST_KEPT)
    if (answer.cacheMs > 0) {
      keepNewest(this.#kept, key, { answer, until: this.#clock.now() + answer.cacheMs, losses }, MOST_KEPT)
    }
    return { caller: answer.caller }
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
}
