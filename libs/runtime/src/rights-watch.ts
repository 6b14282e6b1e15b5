import { aside } from '@callboard/store'
import { MINUTE_MS } from '@callboard/values'
import { type Deployment, lacksOfRights } from './migrations.ts'

/** How long it counts that no right is lacking: rights change by a migration step alone, or by an administrator's hand. */
const REMEMBERED_MS = MINUTE_MS

/**
 * What the user of Postgres may not do and the services of a process do. What lacks nothing is asked once a minute, what lacks
 * something at each look, so that the process is ready as soon as the right is there.
 */
export class RightsWatch {
  readonly #deployment: Pick<Deployment, 'modules' | 'databases'>
  #soundUntil = Number.NEGATIVE_INFINITY

  constructor(deployment: Pick<Deployment, 'modules' | 'databases'>) {
    this.#deployment = deployment
  }

  /** @returns in words; empty where nothing is lacking @throws Error while Postgres cannot be asked */
  async lacks(): Promise<readonly string[]> {
    const askedAt = performance.now()
    if (askedAt < this.#soundUntil) return []
    const lacks = await aside(() => lacksOfRights(this.#deployment))
    if (lacks.length === 0) this.#soundUntil = askedAt + REMEMBERED_MS
    return lacks
  }

  /** Postgres refused something: the next look asks. */
  doubt(): void {
    this.#soundUntil = Number.NEGATIVE_INFINITY
  }
}
