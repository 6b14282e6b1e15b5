import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { importsOf } from '@callboard/testkit/imports'
import { ROOT } from './generated-files.ts'

/** The files that are tracked, or would be, by path from the root. */
export const trackedFiles = (): readonly string[] =>
  present(ROOT, git(ROOT, 'ls-files', '--cached', '--others', '--exclude-standard'))

/** Those of them that differ from a commit, or are new since. */
export function changedSince(commit: string, root = ROOT): readonly string[] {
  const added = git(root, 'ls-files', '--others', '--exclude-standard')
  return present(root, [...git(root, 'diff', '--name-only', commit, '--'), ...added])
}

const git = (cwd: string, ...given: readonly string[]): readonly string[] =>
  execFileSync('git', given, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\n')
    .filter((line) => line !== '')

const present = (root: string, paths: readonly string[]): readonly string[] =>
  [...new Set(paths)].filter((path) => existsSync(join(root, path)) && !path.startsWith('bench/peers/')).sort()

/** The files that each file imports by path. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/** The imports among TypeScript files, including type imports. `root` is their folder. */
export function importGraph(paths: readonly string[], root = ROOT): ImportGraph {
  const sources = new Set(paths.filter((path) => path.endsWith('.ts')))
  return new Map(
    [...sources].map((path) => [
      path,
      importsOf(join(root, path))
        .map(({ file }) => relative(root, file))
        .filter((file) => sources.has(file)),
    ]),
  )
}

export const isTest = (path: string): boolean => /\.(test|bench)\.ts$/.test(path)

/** The folders with a package.json, the deepest first. */
export const workspacesOf = (paths: readonly string[]): readonly string[] =>
  paths
    .filter((path) => path.endsWith('/package.json'))
    .map((path) => dirname(path))
    .sort((one, other) => other.length - one.length)

/** The workspace that a file belongs to; undefined for those of the root. */
export const workspaceOf = (path: string, workspaces: readonly string[]): string | undefined =>
  workspaces.find((workspace) => path.startsWith(`${workspace}/`))

/** The workspaces with a unit test that reads one of these files of elsewhere: a page that it holds to its word, say. */
export function readersOf(changed: readonly string[], paths: readonly string[]): readonly string[] {
  const workspaces = workspacesOf(paths)
  const readers = paths.filter((path) => {
    if (!/\/src\/.*\.test\.ts$/.test(path)) return false
    const text = readFileSync(join(ROOT, path), 'utf8')
    const own = workspaceOf(path, workspaces)
    return changed.some((file) => text.includes(`${file}'`) && workspaceOf(file, workspaces) !== own)
  })
  return [...new Set(readers.flatMap((path) => workspaceOf(path, workspaces) ?? []))]
}
