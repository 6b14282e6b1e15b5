import { siteOf } from '@callboard/values/site'

/** The share of a replica's visits that one site may take: its owner decides how many hosts it has, and how slow. */
const SHARE = 8

/** The visits that the schedule of this replica has under way, by site. */
export class VisitedSites {
  readonly #most: number
  readonly #visits = new Map<string, number>()

  /** @param atOnce how many visits the replica makes at once */
  constructor(atOnce: number) {
    this.#most = Math.max(1, Math.floor(atOnce / SHARE))
  }

  /** The sites that have their share. */
  get full(): string[] {
    return [...this.#visits].filter(([, visits]) => visits >= this.#most).map(([site]) => site)
  }

  /** How many origins may be leased at once: even if all are of one site that is not full, it gets its share at most. */
  get room(): number {
    const busiest = [...this.#visits.values()].filter((visits) => visits < this.#most)
    return this.#most - Math.max(0, ...busiest)
  }

  began(origin: string): void {
    const site = siteOf(origin)
    this.#visits.set(site, (this.#visits.get(site) ?? 0) + 1)
  }

  ended(origin: string): void {
    const site = siteOf(origin)
    const left = (this.#visits.get(site) ?? 1) - 1
    if (left > 0) this.#visits.set(site, left)
    else this.#visits.delete(site)
  }
}
