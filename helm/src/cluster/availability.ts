import type { Deployment } from './release.ts'

/** The fewest replicas that a Deployment had while watched. */
export interface Least {
  readonly name: string
  readonly available: number
  readonly wanted: number
}

/** Tracks the fewest available and the fewest desired replicas of each Deployment, over all states of a watch. */
export class Availability {
  readonly #least = new Map<string, Least>()

  see({ metadata: { name }, spec, status }: Deployment): void {
    const before = this.#least.get(name)
    this.#least.set(name, {
      name,
      available: Math.min(before?.available ?? Number.POSITIVE_INFINITY, status.availableReplicas ?? 0),
      wanted: Math.min(before?.wanted ?? Number.POSITIVE_INFINITY, spec.replicas),
    })
  }

  least(name: string): Least {
    const seen = this.#least.get(name)
    if (!seen) throw new Error(`No state of ${name} was seen.`)
    return seen
  }

  /** Those with fewer available replicas than their own minimum. */
  below = (floorOf: (name: string) => number): readonly Least[] =>
    [...this.#least.values()].filter(({ name, available }) => available < floorOf(name))
}
