import type { ParseArgsOptionsConfig } from 'node:util'
import type { Print } from './print.ts'
import type { Settings } from './settings.ts'

export interface Invocation {
  readonly settings: Settings
  readonly print: Print
  readonly values: Readonly<Record<string, unknown>>
  /** What stands after the command without a flag. */
  readonly words: readonly string[]
}

export interface Command {
  /** As it is typed. */
  readonly usage: string
  /** What `--help` says beside that, line by line. */
  readonly about?: readonly string[]
  readonly options: ParseArgsOptionsConfig
  /** @returns the exit code */
  readonly run: (invocation: Invocation) => Promise<number>
}
