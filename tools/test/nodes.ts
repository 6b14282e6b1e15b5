import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The release lines of Node that the published packages support: `engines` says 20 and newer. */
export const LINES = [20, 22, 24] as const

const lineOf = (program: string): number =>
  Number(/^v(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[1])

/** Every available `node`: our own, that of this workspace, and the system's. */
const programs = (): string[] => {
  const places = [
    join(import.meta.dirname, '../node_modules/.bin'),
    ...(process.env.PATH ?? '').split(delimiter).filter((place) => place !== ''),
  ]
  return [process.execPath, ...places.map((place) => join(place, 'node')).filter((file) => existsSync(file))]
}

/** The first `node` of each release line; a line without one is omitted. */
export function nodesAtHand(): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (const program of programs()) {
    const line = lineOf(program)
    if (!found.has(line)) found.set(line, program)
  }
  return found
}
