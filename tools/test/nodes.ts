import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The lines of Node that the published packages promise to run on: `engines` says 20 and newer. */
export const LINES = [20, 22, 24] as const

const lineOf = (program: string): number =>
  Number(/^v(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[1])

/** Every `node` that is at hand: our own, that of this workspace, and what the system has. */
const programs = (): string[] => {
  const places = [
    join(import.meta.dirname, '../node_modules/.bin'),
    ...(process.env.PATH ?? '').split(delimiter).filter((place) => place !== ''),
  ]
  return [process.execPath, ...places.map((place) => join(place, 'node')).filter((file) => existsSync(file))]
}

/** The first `node` of each line; a line without one is left out. */
export function nodesAtHand(): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (const program of programs()) {
    const line = lineOf(program)
    if (!found.has(line)) found.set(line, program)
  }
  return found
}
