import { readFileSync } from 'node:fs'
import type { ConfigProblem, Env } from './config-error.ts'

/** The suffix of a setting's name where a file contains its text: `NATS_URL_FILE` for `NATS_URL`. */
export const FILE_ENDING = '_FILE'

/** The environment with the contents of files filled in. */
export interface WithFiles {
  readonly env: Env
  /** The path of each file, by the setting that it provides. */
  readonly paths: ReadonlyMap<string, string>
  readonly problems: readonly ConfigProblem[]
}

const isGiven = (text: string | undefined): text is string => text !== undefined && text !== ''

/** Whether a setting is given, directly or by a file. */
export const isSet = (env: Env, name: string): boolean => isGiven(env[name]) || isGiven(env[name + FILE_ENDING])

/**
 * Reads the files that the environment names instead of settings (`NAME_FILE`).
 * @param names the settings that may be given this way
 */
export function withFiles(env: Env, names: Iterable<string>): WithFiles {
  const paths = new Map<string, string>()
  const texts: Record<string, string> = {}
  const problems: ConfigProblem[] = []
  for (const setting of new Set(names)) {
    const path = env[setting + FILE_ENDING]
    if (!isGiven(path)) continue
    if (isGiven(env[setting])) {
      problems.push({ setting, reason: `is given twice: by ${setting} and by ${setting}${FILE_ENDING}; give one` })
      continue
    }
    try {
      texts[setting] = readSettingFile(path)
      paths.set(setting, path)
    } catch (error) {
      problems.push({ setting: setting + FILE_ENDING, reason: (error as Error).message })
    }
  }
  return { env: { ...env, ...texts }, paths, problems }
}

/**
 * Reads a file without the trailing newline that editors add.
 * @throws Error that says why it cannot be read, without any of its content
 */
export function readSettingFile(path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
  const trimmed = text.replace(/\r?\n$/, '')
  if (trimmed === '') throw new Error(`${path} is empty`)
  return trimmed
}
