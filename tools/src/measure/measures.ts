import { circlesOf } from '../rules/circles.ts'
import { folderSizes, MOST_IN_A_FOLDER } from '../rules/rules.ts'
import { type ImportGraph, isTest, workspaceOf, workspacesOf } from '../source-files.ts'
import { type FileMeasure, measureFile } from './measure-file.ts'

/** The measures of a workspace. */
export interface WorkspaceMeasure {
  readonly workspace: string
  /** Its sources: TypeScript that is neither a test nor generated. */
  readonly files: number
  readonly lines: number
  readonly median: number
  readonly p90: number
  readonly longest: number
  readonly exports: number
  readonly documented: number
  readonly longFunctions: number
  readonly wideFunctions: number
  readonly testLines: number
  readonly circles: number
  /** Folders of more than twenty sources. */
  readonly fullFolders: number
}

/** Measures of every workspace, the one with the most lines first. Its tests are `*.test.ts` and files in `test`. */
export function measures(
  paths: readonly string[],
  graph: ImportGraph,
  read: (path: string) => string,
): readonly WorkspaceMeasure[] {
  const workspaces = workspacesOf(paths)
  const circles = circlesOf(graph)
  const folders = [...folderSizes(paths)].filter(([, size]) => size > MOST_IN_A_FOLDER)
  const written = paths.filter((path) => path.endsWith('.ts') && !path.endsWith('.generated.ts'))
  return workspaces
    .map((workspace) => {
      const own = written.filter((path) => workspaceOf(path, workspaces) === workspace)
      const tests = own.filter((path) => isTest(path) || path.startsWith(`${workspace}/test/`))
      const sources = own.filter((path) => !tests.includes(path)).map((path) => measureFile(path, read(path)))
      const sum = (field: keyof FileMeasure) => sources.reduce((all, one) => all + one[field], 0)
      const lines = sources.map((one) => one.lines).sort((one, other) => one - other)
      return {
        workspace,
        files: sources.length,
        lines: sum('lines'),
        median: quantile(lines, 0.5),
        p90: quantile(lines, 0.9),
        longest: lines.at(-1) ?? 0,
        exports: sum('exports'),
        documented: sum('documented'),
        longFunctions: sum('longFunctions'),
        wideFunctions: sum('wideFunctions'),
        testLines: tests.reduce((all, path) => all + read(path).split('\n').length - 1, 0),
        circles: circles.filter(([first = '']) => workspaceOf(first, workspaces) === workspace).length,
        fullFolders: folders.filter(([folder]) => workspaceOf(`${folder}/`, workspaces) === workspace).length,
      }
    })
    .filter(({ files }) => files > 0)
    .sort((one, other) => other.lines - one.lines)
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0
