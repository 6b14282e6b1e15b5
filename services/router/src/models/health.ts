import type { Logger } from '@callboard/runtime'
import { type Clock, MINUTE_MS } from '@callboard/values'
import { afterwards, asked, type Breaker, CLOSED, isReady, type Outcome } from '../domain/breaker.ts'
import type { UpstreamEntry } from '../domain/model.ts'
import type { Metering } from '../metering.ts'
import type { Models } from './model-set.ts'
import { modelPlaceOf, outcomeAt, type Place, placeName, placesOf } from './place.ts'

/** A model that is no longer called must not be reported as failing forever. */
const FORGOTTEN_MS = 10 * MINUTE_MS

/** Outcomes that only the operator can fix. A provider without counts has nothing to be fixed. */
const OPERATORS_FAULTS: Partial<Readonly<Record<Outcome['kind'], string>>> = {
  key_refused: 'an upstream refuses our key',
  forbidden: 'an upstream forbids us a model that we sell',
  model_missing: 'an upstream does not have a model that we sell',
}

const NO_RESPONSES = 'an upstream has no Responses API for a model that we sell'

const faultOf = ({ part }: Place, { kind }: Outcome): string | undefined =>
  part && kind === 'model_missing' ? { counts: undefined, responses: NO_RESPONSES }[part] : OPERATORS_FAULTS[kind]

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
    return this.readyAt(place) === 0
  }

  /** When it may be tried again; 0 if it may be now. */
  readyAt(place: Place): number {
    const [now, breakers] = [this.#clock.now(), placesOf(place).map((one) => this.#of(one))]
    return Math.max(0, ...breakers.filter((breaker) => !isReady(breaker, now)).map(({ until }) => until))
  }

  /** Whether it failed and has not recovered since; one that has not been tried for long does not count as failing. */
  isFailing(place: Place): boolean {
    const { status, until } = this.#of(place)
    return status !== 'closed' && this.#clock.now() < until + FORGOTTEN_MS
  }

  /** Records that it is being asked; {@link report} follows. @returns of which renewal of the upstream the call is */
  begin(place: Place): number {
    for (const one of placesOf(place)) {
      const before = this.#of(one)
      const breaker = asked(before, this.#clock.now())
      if (breaker !== before) this.#breakers.set(placeName(one), breaker)
    }
    return this.#renewalsOf(place)
  }

  /** @param renewal what {@link begin} returned: a call to an earlier entry, or with an earlier key, says nothing now */
  report(place: Place, outcome: Outcome, renewal = this.#renewalsOf(place)): void {
    this.#attempts.inc({ upstream: place.upstream.name, outcome: outcome.kind })
    if (renewal !== this.#renewalsOf(place)) return
    for (const one of placesOf(place)) this.#note(one, outcomeAt(one, place, outcome))
  }

  #note(place: Place, outcome: Outcome): void {
    const { upstream, model, part } = place
    const before = this.#of(place)
    const breaker = afterwards(before, outcome, { now: this.#clock.now(), chance: this.#random() })
    this.#breakers.set(placeName(place), breaker)
    if (before.status === 'closed' && breaker.status === 'open') {
      const said = {
        upstream: upstream.name,
        model,
        part,
        outcome: outcome.kind,
        until: new Date(breaker.until),
      }
      const fault = faultOf(place, outcome)
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
      if (names.has(name) || !known.has(modelPlaceOf(place))) this.#breakers.delete(place)
    }
  }

  #renewalsOf({ upstream }: Place): number {
    return this.#renewals.get(upstream.name) ?? 0
  }

  #of(place: Place): Breaker {
    return this.#breakers.get(placeName(place)) ?? CLOSED
  }
}

/** The same candidates, with those that are passed over last, in the order in which they may be retried. */
export const byHealth = <One extends Place>(candidates: readonly One[], health: Health): One[] =>
  candidates
    .map((candidate) => ({ candidate, readyAt: health.readyAt(candidate) }))
    .sort((one, other) => one.readyAt - other.readyAt)
    .map(({ candidate }) => candidate)
