import type { Logger } from '@callboard/runtime'
import { type Clock, MINUTE_MS } from '@callboard/values'
import { afterwards, asked, type Breaker, CLOSED, isReady, type Outcome } from '../domain/breaker.ts'
import type { UpstreamEntry } from '../domain/model.ts'
import type { Metering } from '../metering.ts'
import type { Candidate } from './candidates.ts'
import type { Models } from './model-set.ts'

/** A model that is no longer called must not be reported as failing forever. */
const FORGOTTEN_MS = 10 * MINUTE_MS

/** The key of a breaker: an upstream and its name for the model, and whether it is asked for counts. */
type Place = Pick<Candidate, 'upstream' | 'model' | 'isForCounts'>

/** Outcomes that only the operator can fix. */
const OPERATORS_FAULTS: Partial<Readonly<Record<Outcome['kind'], string>>> = {
  key_refused: 'an upstream refuses our key',
  forbidden: 'an upstream refuses our key',
  model_missing: 'an upstream does not have a model that we sell',
}

const FOR_COUNTS = ' (counts)'

const placeOf = ({ upstream, model, isForCounts }: Place) => `${upstream.name} ${model}${isForCounts ? FOR_COUNTS : ''}`

export interface HealthOptions {
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn' | 'error' | 'info'>
  readonly metering: Pick<Metering, 'attempts'>
  /** Draws from [0, 1). */
  readonly random?: () => number
}

/** The health of each model's upstreams, as this process sees it (docs/adr/0072). */
export class Health {
  readonly #breakers = new Map<string, Breaker>()
  /** How often each upstream began anew, by name. */
  readonly #renewals = new Map<string, number>()
  readonly #clock: Clock
  readonly #log: HealthOptions['log']
  readonly #attempts: Metering['attempts']
  readonly #random: () => number

  constructor({ clock, log, metering, random = Math.random }: HealthOptions) {
    this.#clock = clock
    this.#log = log
    this.#attempts = metering.attempts
    this.#random = random
  }

  /** Whether it is asked in its turn; otherwise it is asked only when nothing else is left. */
  isReady(place: Place): boolean {
    return isReady(this.#of(place), this.#clock.now())
  }

  /** When it may be tried again; 0 if it may be now. */
  readyAt(place: Place): number {
    return this.isReady(place) ? 0 : this.#of(place).until
  }

  /** Whether it failed and has not recovered since; one that has not been tried for long does not count as failing. */
  isFailing(place: Place): boolean {
    const { status, until } = this.#of(place)
    return status !== 'closed' && this.#clock.now() < until + FORGOTTEN_MS
  }

  /** Records that it is being asked; {@link report} follows. @returns of which renewal of the upstream the call is */
  begin(place: Place): number {
    const before = this.#of(place)
    const breaker = asked(before, this.#clock.now())
    if (breaker !== before) this.#breakers.set(placeOf(place), breaker)
    return this.#renewalsOf(place)
  }

  /** @param renewal what {@link begin} returned: a call to an earlier entry, or with an earlier key, says nothing now */
  report(place: Place, outcome: Outcome, renewal = this.#renewalsOf(place)): void {
    const { upstream, model, isForCounts } = place
    this.#attempts.inc({ upstream: upstream.name, outcome: outcome.kind })
    if (renewal !== this.#renewalsOf(place)) return
    const before = this.#of(place)
    const breaker = afterwards(before, outcome, { now: this.#clock.now(), chance: this.#random() })
    this.#breakers.set(placeOf(place), breaker)
    if (before.status === 'closed' && breaker.status === 'open') {
      const said = {
        upstream: upstream.name,
        model,
        isForCounts,
        outcome: outcome.kind,
        until: new Date(breaker.until),
      }
      const fault = isForCounts && outcome.kind === 'model_missing' ? undefined : OPERATORS_FAULTS[outcome.kind]
      if (fault) this.#log.error(said, fault)
      else this.#log.warn(said, 'an upstream is passed over')
    }
    if (before.status !== 'closed' && breaker.status === 'closed') {
      this.#log.info({ upstream: upstream.name, model }, 'an upstream is back')
    }
  }

  /** Forgets upstreams whose entry or key has changed, and those that are gone. */
  forget({ models, changed }: { models: Models; changed: readonly UpstreamEntry[] }): void {
    const known = new Set(
      models.all.flatMap(({ id, upstreams }) => upstreams.map((entry) => `${entry.upstream} ${entry.model ?? id}`)),
    )
    const names = new Set(changed.map(({ name }) => name))
    for (const name of names) this.#renewals.set(name, (this.#renewals.get(name) ?? 0) + 1)
    for (const place of [...this.#breakers.keys()]) {
      const [name = ''] = place.split(' ', 1)
      if (names.has(name) || !known.has(place.replace(FOR_COUNTS, ''))) this.#breakers.delete(place)
    }
  }

  #renewalsOf({ upstream }: Place): number {
    return this.#renewals.get(upstream.name) ?? 0
  }

  #of(place: Place): Breaker {
    return this.#breakers.get(placeOf(place)) ?? CLOSED
  }
}

/** The same candidates, with those that are passed over last, in the order in which they may be retried. */
export const byHealth = <One extends Place>(candidates: readonly One[], health: Health): One[] =>
  candidates
    .map((candidate) => ({ candidate, readyAt: health.readyAt(candidate) }))
    .sort((one, other) => one.readyAt - other.readyAt)
    .map(({ candidate }) => candidate)
