import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Seen } from './walk.ts'

/** The results of a kept walk for one death. */
export interface Kept extends Seen {
  /** `YYYY-MM-DD` */
  readonly date: string
  /** The factor by which windows were shortened. */
  readonly times: number
}

const FILE = join(import.meta.dirname, '../../walked.json')

export const kept = (): Record<string, Kept> =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Kept>) : {}

/** Stores the results of a walk for one death, replacing earlier ones. */
export function keep(name: string, times: number, seen: Seen): void {
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(FILE, `${JSON.stringify({ ...kept(), [name]: { ...seen, date, times } }, null, 2)}\n`)
}
