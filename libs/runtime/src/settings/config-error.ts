/** The environment variables of a process. */
export type Env = Readonly<Record<string, string | undefined>>

/** One wrong setting, described so that it can be fixed. */
export interface ConfigProblem {
  readonly setting: string
  readonly reason: string
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    super(`The configuration has problems:\n${problems.map((p) => `  ${p.setting}: ${p.reason}`).join('\n')}`)
    this.problems = problems
  }
}
