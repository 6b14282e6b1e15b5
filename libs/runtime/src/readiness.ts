import { type Deployment, lacksOfRights } from './migrations.ts'

/** What a resource of a process reports, in words for its operator. */
export interface ReadinessReport {
  /** Why the process should get no traffic now. */
  readonly notReady: readonly string[]
  /** What is wrong although it serves. */
  readonly notes: readonly string[]
}

/** What `/readyz` reports beside Postgres and the bus: services add what they know of their own resources. */
export class Readiness {
  readonly #sources: (() => ReadinessReport)[] = []

  /** @param source asked at each `/readyz`; it answers from memory */
  add(source: () => ReadinessReport): void {
    this.#sources.push(source)
  }

  /** What all sources say, each sentence once. */
  report(): ReadinessReport {
    const said = this.#sources.map((source) => source())
    return {
      notReady: [...new Set(said.flatMap(({ notReady }) => notReady))],
      notes: [...new Set(said.flatMap(({ notes }) => notes))],
    }
  }
}

/** Why the process should get no traffic now, in words, and what is wrong beside that. */
export async function standingOf(deployment: Deployment, readiness: Readiness): Promise<ReadinessReport> {
  const reasons = deployment.bus.connected ? [] : ['the bus is unreachable']
  const lacks = await lacksOfRights(deployment).catch((error: Error) => [error.message])
  const { notReady, notes } = readiness.report()
  return { notReady: [...reasons, ...lacks.map((lack) => `postgres: ${lack}`), ...notReady], notes }
}
