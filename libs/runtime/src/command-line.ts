import { existsSync, realpathSync } from 'node:fs'
import { inspect, type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { reasonOf } from './reason-of.ts'

/** A cause may be its own. */
const MOST_CAUSES = 5

const HELP = { help: { type: 'boolean', short: 'h' } } as const

/** The syntax of one of our programs, and its usage text. */
interface Syntax<Options extends ParseArgsOptionsConfig> {
  /** All usage lines; the first begins with `usage:`. */
  readonly usage: string
  readonly options?: Options
  /** Whether arguments other than flags may follow. */
  readonly words?: true
}

/**
 * Parses the command line of a program started by an npm script. `--help` prints the usage and exits with 0; a syntax
 * error is reported with the usage and exits with 2, before anything has happened.
 * @param given without the program itself
 */
export function commandLine<Options extends ParseArgsOptionsConfig>(
  given: readonly string[],
  { usage, options, words }: Syntax<Options>,
) {
  try {
    const all = { ...HELP, ...options } as typeof HELP & Options
    const parsed = parseArgs({ args: [...given], options: all, allowPositionals: words ?? false })
    if (!(parsed.values as { help?: boolean }).help) return parsed
  } catch (error) {
    misunderstood(error instanceof Error ? error.message : String(error), usage)
  }
  console.log(usage)
  process.exit(0)
}

/**
 * Whether a module is the program that node was started with, and was not imported. The `main` of `import.meta` says so only
 * from Node 24.2 on, and npm has an earlier one for Apple’s processors: a program would end there without a word.
 */
export function isProgram({ filename }: Pick<ImportMeta, 'filename'>, [, started = '']: readonly string[]): boolean {
  return existsSync(started) && realpathSync(started) === filename
}

/** Reports a command-line error with the usage, and exits with 2. */
export function misunderstood(reason: string, usage: string): never {
  console.error(`${reason}\n${usage}`)
  process.exit(2)
}

/**
 * What a program prints of the error that ended it: its message and those of its causes, as of the statement at which a
 * migration failed; or else all of it, as of an error that has none because several addresses of one host were tried.
 */
export function failureText(error: unknown): string {
  if (!(error instanceof Error && error.message)) return inspect(error)
  const lines = [error.message]
  for (let at = error.cause, depth = 0; at instanceof Error && depth < MOST_CAUSES; at = at.cause, depth++) {
    const reason = reasonOf(at)
    // Some quote their cause.
    if (!lines.some((line) => line.includes(reason))) lines.push(`  because: ${reason}`)
  }
  return lines.join('\n')
}
