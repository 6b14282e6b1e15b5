import { createHash } from 'node:crypto'
import type { Caller, InputOf, OutputOf, oauth, ResultOf } from '@callboard/contract'
import type { Counters } from '@callboard/store'
import { type Clock, isRefusal, keepNewest, MINUTE_MS } from '@callboard/values'

type Answer = OutputOf<typeof oauth.introspect>
type Ask = (input: InputOf<typeof oauth.introspect>) => Promise<ResultOf<typeof oauth.introspect>>

interface Kept {
  readonly answer: Extract<Answer, { active: true }>
  readonly until: number
  /** How often the counters had been lost when it was requested. */
  readonly losses: number
}

/** The result of checking a credential. */
interface Worth {
  readonly caller: Caller | undefined
  /** Set if the credential was not examined: seconds until it may be retried. */
  readonly retryAfterSeconds?: number
}

interface Questions {
  readonly ask: Ask
  /** Called before an unknown credential is examined. @returns seconds to wait, or undefined */
  readonly restOf: () => Promise<number | undefined>
}

const MOST_KEPT = 10_000
/** A secret that is unknown or ended at oauth never becomes valid; the time only bounds what a restore changes. */
const DEAD_MS = MINUTE_MS

/**
 * Caches oauth's answers about credentials for a short time. A cached answer counts only while the owner's epoch
 * counter still shows the number under which the answer was given; a revocation raises that counter before it is
 * acknowledged, so no cached answer outlives it. If the counter cannot be read, or the counters were lost, nothing
 * cached earlier is used, since a revocation may have gone unshown; it takes effect from then on.
 *
 * An invalid credential is not asked about again for a minute. One that was valid here is not a guess: it is asked
 * about regardless of what else came from its address (docs/adr/0046).
 */
export class Introspections {
  readonly #kept = new Map<string, Kept>()
  readonly #good = new Map<string, true>()
  /** How long a credential counts as invalid. */
  readonly #dead = new Map<string, number>()
  /** First examinations that are under way. */
  readonly #looks = new Map<string, Promise<unknown>>()
  readonly #counters: Counters
  readonly #clock: Clock

  constructor(counters: Counters, clock: Clock) {
    this.#counters = counters
    this.#clock = clock
  }

  /** Checks which caller a credential stands for. @throws BusFault when oauth is unavailable */
  async worthOf(credential: string, kind: 'bearer' | 'session', questions: Questions): Promise<Worth> {
    const key = createHash('sha256').update(`${kind} ${credential}`).digest('base64')
    // Waits to learn whether this is a guess; the other answer itself may be outdated by a revocation.
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
