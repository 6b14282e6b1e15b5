import type { ParseArgsOptionsConfig } from 'node:util'
import type { Print } from './print.ts'
import type { Settings } from './settings.ts'

export interface Invocation {
  readonly settings: Settings
  readonly print: Print
  readonly values: Readonly<Record<string, unknown>>
  /** Arguments that are not flags. */
  readonly words: readonly string[]
}

export interface Command {
  /** The command's syntax. */
  readonly usage: string
  /** Further lines for `--help`. */
  readonly about?: readonly string[]
  readonly options: ParseArgsOptionsConfig
  /** Whether it takes arguments that are not flags; otherwise one is wrong usage, and nothing is done. */
  readonly takesWords?: boolean
  /** @returns the exit code */
  readonly run: (invocation: Invocation) => Promise<number>
}
