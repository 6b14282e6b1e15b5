import { isRightRefused } from '@callboard/store'

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
  #doubt: () => void = () => {}

  /** @param source asked at each `/readyz`; it answers from memory */
  add(source: () => ReadinessReport): void {
    this.#sources.push(source)
  }

  /** @param forget called when what the last look found may no longer be so */
  onDoubt(forget: () => void): void {
    this.#doubt = forget
  }

  /** Notes an error of the work itself: where Postgres refused a right, the next look asks for all of them. */
  failed(error: unknown): void {
    if (isRightRefused(error)) this.#doubt()
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
