import { isRightRefused } from '@callboard/store'

/** What a resource of a process reports to its operator, in words. */
export interface ReadinessReport {
  /** Why the process should get no traffic now. */
  readonly notReady: readonly string[]
  /** Problems while it serves. */
  readonly notes: readonly string[]
}

/** What `/readyz` reports besides Postgres and the bus: services add the state of their own resources. */
export class Readiness {
  readonly #sources: (() => ReadinessReport)[] = []
  #doubt: () => void = () => {}

  /** @param source called for each `/readyz`; it answers from memory */
  add(source: () => ReadinessReport): void {
    this.#sources.push(source)
  }

  /** @param forget called when the last result may no longer hold */
  onDoubt(forget: () => void): void {
    this.#doubt = forget
  }

  /** Takes an error of the work itself: where Postgres refused a right, the next check covers all of them. */
  failed(error: unknown): void {
    if (isRightRefused(error)) this.#doubt()
  }

  /** The reports of all sources, each sentence once. */
  report(): ReadinessReport {
    const said = this.#sources.map((source) => source())
    return {
      notReady: [...new Set(said.flatMap(({ notReady }) => notReady))],
      notes: [...new Set(said.flatMap(({ notes }) => notes))],
    }
  }
}
