import type { Case } from './case.ts'
import { KINDS, type Kind } from './credentials.ts'
import type { Told } from './send.ts'

/** An answer that should not have occurred. */
export interface Finding {
  readonly number: number
  readonly target: string
  readonly kind: Kind
  readonly faults: readonly string[]
  readonly curl: string
  readonly answer: string
}

/** The result of a run. */
export interface Outcome {
  readonly cases: number
  readonly byKind: Readonly<Record<string, number>>
  readonly byStatus: Readonly<Record<string, number>>
  /** Answers that came too late, but in time when requested again. */
  readonly late: number
  /** Targets that never answered with success. */
  readonly neverGood: readonly string[]
  readonly findings: readonly Finding[]
}

/** Counts the results of a run's cases. */
export class Tally {
  readonly #byKind = new Map<string, number>()
  readonly #byStatus = new Map<string, number>()
  readonly #good = new Set<string>()
  readonly #findings = new Map<string, Finding>()
  late = 0

  /** @param told undefined where there was no answer */
  note({ kind, target }: Case, told: Told | undefined): void {
    count(this.#byKind, kind)
    count(this.#byStatus, told ? String(told.status) : 'none')
    if (told && told.status < 400) this.#good.add(target.name)
  }

  /** Keeps the newest finding of each kind of fault. @returns whether it is the first of its kind */
  keep(finding: Finding): boolean {
    const sort = `${finding.target}: ${finding.faults.map((fault) => fault.slice(0, 80)).join('; ')}`
    const isFirst = !this.#findings.has(sort)
    this.#findings.set(sort, finding)
    return isFirst
  }

  /** @param chosen the names of the targets that were tried */
  outcome(cases: number, chosen: readonly string[]): Outcome {
    return {
      cases,
      byKind: Object.fromEntries(KINDS.map((kind) => [kind, this.#byKind.get(kind) ?? 0])),
      byStatus: Object.fromEntries([...this.#byStatus].toSorted()),
      late: this.late,
      neverGood: chosen.filter((name) => !this.#good.has(name)),
      findings: [...this.#findings.values()],
    }
  }
}

const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
