import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the repository, where paths of generated files begin. */
export const ROOT = join(import.meta.dirname, '../..')

/** Text by path; undefined for a file that must not be there. */
export type GeneratedFiles = ReadonlyMap<string, string | undefined>

const isStale = (path: string, text: string | undefined) => {
  const file = join(ROOT, path)
  return text !== (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
}

/** The paths whose files are not as they would be made now. */
export const stale = (files: GeneratedFiles): string[] =>
  [...files].filter(([path, text]) => isStale(path, text)).map(([path]) => path)

function write(path: string, text: string | undefined): void {
  const file = join(ROOT, path)
  mkdirSync(dirname(file), { recursive: true })
  if (text === undefined) rmSync(file, { force: true })
  else writeFileSync(file, text)
}

/**
 * The command line of a generator: `gen` writes the files, `check` names the stale ones and ends with 1.
 * @param command what writes them, as a developer types it
 */
export function keepGenerated(command: string, generated: () => GeneratedFiles): void {
  const verb = process.argv[2]
  if (verb === 'gen') {
    for (const [path, text] of generated()) write(path, text)
  } else if (verb === 'check') {
    const paths = stale(generated())
    if (paths.length === 0) return
    console.error(`${paths.join(', ')}: stale; run ${command} and commit what it writes.`)
    process.exitCode = 1
  } else {
    console.error('usage: gen | check')
    process.exitCode = 2
  }
}
