import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Seen } from './walk.ts'

/** What a kept walk saw of a death. */
export interface Kept extends Seen {
  /** `YYYY-MM-DD` */
  readonly date: string
  /** How many times shorter the windows were. */
  readonly times: number
}

const FILE = join(import.meta.dirname, '../../walked.json')

export const kept = (): Record<string, Kept> =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Kept>) : {}

/** Keeps what a walk saw of a death, in place of what was seen of it before. */
export function keep(name: string, times: number, seen: Seen): void {
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(FILE, `${JSON.stringify({ ...kept(), [name]: { ...seen, date, times } }, null, 2)}\n`)
}
