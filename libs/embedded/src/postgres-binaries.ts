import { join } from 'node:path'
import type { RunAs } from './child.ts'
import { runCommand } from './command.ts'

/** The programs of one Postgres installation, known to run here. */
export interface PostgresBinaries {
  readonly postgres: string
  readonly initdb: string
  /** The major version, as in a data folder's PG_VERSION. */
  readonly major: string
  readonly env: NodeJS.ProcessEnv
}

export interface Unusable {
  readonly unusable: string
}

/**
 * The programs of an installed Postgres.
 * @param binDir the folder that holds `postgres` and `initdb`
 * @param env what they need in addition to our environment, such as LD_LIBRARY_PATH
 */
export async function installedBinaries(binDir: string, user: RunAs, env = {}): Promise<PostgresBinaries> {
  const found = await tryBinaries(binDir, user, env)
  if ('postgres' in found) return found
  throw new Error(`Postgres in ${binDir} cannot run here (${found.unusable}): choose another folder of programs.`)
}

/** Asks `postgres` for its version, as the user who will run it: that checks rights, libraries and platform at once. */
export async function tryBinaries(
  binDir: string,
  user: RunAs,
  more: NodeJS.ProcessEnv = {},
): Promise<PostgresBinaries | Unusable> {
  const postgres = join(binDir, 'postgres')
  const env = { ...ownEnv(), ...more }
  const result = await runCommand({ ...user, command: postgres, args: ['--version'], env, cwd: '/' })
  if (result.kind === 'not-run') return { unusable: result.code }
  const major = /\(PostgreSQL\) (\d+)/.exec(result.output)?.[1]
  if (result.code !== 0 || !major) return { unusable: result.output || 'no answer' }
  return { postgres, initdb: join(binDir, 'initdb'), major, env }
}

/** Our environment without the PG* settings, which are meant for another server. */
function ownEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('PG') && !name.startsWith('LC_'))
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' }
}
