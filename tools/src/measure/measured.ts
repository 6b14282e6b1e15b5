import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../generated-files.ts'
import { importGraph, isTest, trackedFiles } from '../source-files.ts'
import { duplicatePairs } from './duplicates.ts'
import { measures, type WorkspaceMeasure } from './measures.ts'

/** A tree's measures, and which tree it is. */
export interface Measured {
  /** An abbreviated commit, or `now`. */
  readonly commit: string
  /** The day of the commit, `2026-11-22`. */
  readonly day: string
  readonly workspaces: readonly WorkspaceMeasure[]
  /** Sources with consecutive lines in common. */
  readonly duplicates: readonly (readonly [string, string])[]
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 }).trim()
const dayOf = (commit: string) => git('log', '-1', '--format=%cs', commit)

/** The sources measured for functions and pairs: TypeScript that is neither a test nor generated. */
export const sourcesOf = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => /(?<!\.generated)\.ts$/.test(path) && !isTest(path) && !path.includes('/test/'))

function measuredIn(paths: readonly string[], root: string): Pick<Measured, 'workspaces' | 'duplicates'> {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  return {
    workspaces: measures(paths, importGraph(paths, root), read),
    duplicates: duplicatePairs(sourcesOf(paths), read),
  }
}

/** The working tree. */
export const measuredNow = (): Measured => ({
  commit: 'now',
  day: dayOf('HEAD'),
  ...measuredIn(trackedFiles(), ROOT),
})

/** @throws Error where git does not know the commit */
export function measuredAt(commit: string): Measured {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-measure-'))
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1 << 30 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    const paths = git('ls-tree', '-r', '--name-only', commit).split('\n')
    const counted = paths.filter((path) => !path.startsWith('bench/peers/')).sort()
    return {
      commit: git('rev-parse', '--short', commit),
      day: dayOf(commit),
      ...measuredIn(counted, folder),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
