import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Score } from './score.ts'

/** The result of the last kept run for a file. */
export interface KeptScore extends Omit<Score, 'survivors'> {
  /** `YYYY-MM-DD` */
  readonly date: string
}

const FILE = join(import.meta.dirname, 'scores.json')

/** The score of every file that was ever measured and kept, by path from the root. */
export const kept = (): Readonly<Record<string, KeptScore>> =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, KeptScore>) : {}

/** Stores the score of a file, replacing an earlier one. */
export function keep(file: string, { killed, timedOut, all }: Score): void {
  const scores = { ...kept(), [file]: { killed, timedOut, all, date: new Date().toISOString().slice(0, 10) } }
  const sorted = Object.entries(scores).sort(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}
