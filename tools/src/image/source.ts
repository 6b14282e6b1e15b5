import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../generated-files.ts'

/** The source of an image, and its date. */
export interface Source {
  readonly version: string
  /** The commit; with `-dirty` where files differ from it. */
  readonly revision: string
  /** When the commit was made: the timestamp of everything in the image. */
  readonly at: Date
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

/**
 * The present checkout. Without git, `REVISION` and `SOURCE_DATE_EPOCH` provide the same.
 * @throws Error where both are missing
 */
export function sourceOf(env: NodeJS.ProcessEnv): Source {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const { REVISION: revision, SOURCE_DATE_EPOCH: seconds } = env
  if (revision && seconds) return { version, revision, at: new Date(Number(seconds) * 1_000) }
  try {
    const dirty = git('status', '--porcelain') === '' ? '' : '-dirty'
    return {
      version,
      revision: git('rev-parse', 'HEAD') + dirty,
      at: new Date(Number(git('log', '-1', '--format=%ct')) * 1_000),
    }
  } catch {
    throw new Error('This is no checkout: give REVISION, the commit, and SOURCE_DATE_EPOCH, its time in seconds.')
  }
}
