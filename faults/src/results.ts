import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from './walk.ts'

/** The result of the last walk for a fault. */
export interface Seen extends Outcome {
  readonly seed: number
  /** `YYYY-MM-DD` */
  readonly date: string
}

const FILE = join(import.meta.dirname, '../results.json')

/** The results of every fault that was ever walked and kept. */
export const kept = (): Record<string, Seen> =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Seen>) : {}

/** Whether a fault was carried out, and everything held: one that was left out on a machine is open. */
export const hasHeld = (seen: Seen | undefined): boolean => seen?.broken.length === 0 && seen.impossible === undefined

/** Stores the results of a walk, replacing earlier ones of the same faults. */
export function keep(seed: number, outcomes: readonly Outcome[]): void {
  const date = new Date().toISOString().slice(0, 10)
  const seen = Object.fromEntries(outcomes.map((outcome) => [outcome.fault, { ...outcome, seed, date }]))
  writeFileSync(FILE, `${JSON.stringify({ ...kept(), ...seen }, null, 2)}\n`)
}
