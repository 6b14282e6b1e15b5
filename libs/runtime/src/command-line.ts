import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

const HELP = { help: { type: 'boolean', short: 'h' } } as const

/** What a program of ours takes, and the usage that says so. */
interface Syntax<Options extends ParseArgsOptionsConfig> {
  /** All of it, in lines; its first one begins with `usage:`. */
  readonly usage: string
  readonly options?: Options
  /** Whether words without a flag may follow. */
  readonly words?: true
}

/**
 * Reads the command line of a program that is started by an npm verb. `--help` prints the usage and ends the process with 0;
 * what is not understood is said, with the usage, and ends it with 2. Nothing has happened before.
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

/** Says why a command line is not understood and how it is written, and ends the process with 2. */
export function misunderstood(reason: string, usage: string): never {
  console.error(`${reason}\n${usage}`)
  process.exit(2)
}
