import type { Deployment } from './release.ts'

/** The least that a Deployment had while it was looked at. */
export interface Least {
  readonly name: string
  readonly available: number
  readonly wanted: number
}

/** Keeps the least available and the least wanted replicas of each Deployment, from every state that a watch shows. */
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

  /** Those that had fewer available than a number that is theirs. */
  below = (floorOf: (name: string) => number): readonly Least[] =>
    [...this.#least.values()].filter(({ name, available }) => available < floorOf(name))
}
