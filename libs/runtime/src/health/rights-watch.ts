import { aside } from '@callboard/store'
import { MINUTE_MS } from '@callboard/values'
import { type Deployment, lacksOfRights } from '../databases/migrations.ts'

/** How long a result without missing rights is cached: only a migration step, or an administrator, changes rights. */
const REMEMBERED_MS = MINUTE_MS

/**
 * The rights that the Postgres user lacks and a process's services need. Complete rights are checked once a minute,
 * incomplete ones at each call, so that the process is ready as soon as the right is granted.
 */
export class RightsWatch {
  readonly #deployment: Pick<Deployment, 'modules' | 'databases'>
  #soundUntil = Number.NEGATIVE_INFINITY

  constructor(deployment: Pick<Deployment, 'modules' | 'databases'>) {
    this.#deployment = deployment
  }

  /** @returns in words; empty where nothing is lacking @throws Error while Postgres cannot be queried */
  async lacks(): Promise<readonly string[]> {
    const askedAt = performance.now()
    if (askedAt < this.#soundUntil) return []
    const lacks = await aside(() => lacksOfRights(this.#deployment))
    if (lacks.length === 0) this.#soundUntil = askedAt + REMEMBERED_MS
    return lacks
  }

  /** Postgres refused something: the next call checks again. */
  doubt(): void {
    this.#soundUntil = Number.NEGATIVE_INFINITY
  }
}
