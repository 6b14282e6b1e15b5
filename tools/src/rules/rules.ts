import { dirname } from 'node:path'
import { type ImportGraph, isTest, workspaceOf, workspacesOf } from '../source-files.ts'
import { circlesOf } from './circles.ts'
import { mayHoldWords, retiredWords } from './words.ts'

/** A violation of a rule by some files, as one sentence, and the workspace in which to fix it. */
export interface Finding {
  readonly rule: Rule
  readonly workspace: string
  readonly says: string
}

export type Rule = 'circle' | 'domain' | 'folder' | 'word'

/** The most sources that one can survey at a glance. Tests next to them do not count. */
export const MOST_IN_A_FOLDER = 20

/** The tree, as the rules read it. */
export interface Tree {
  readonly paths: readonly string[]
  readonly graph: ImportGraph
  /** The text of a file. */
  read(path: string): string
}

/**
 * Violations that the linter's import lists cannot express: import cycles, a domain that imports what is beside it, too many
 * files in a folder, retired words.
 */
export function findings(tree: Tree): readonly Finding[] {
  return [...circles(tree), ...domains(tree), ...folders(tree), ...words(tree)]
}

function words({ paths, read }: Tree): readonly Finding[] {
  const workspaces = workspacesOf(paths)
  return paths.flatMap((path) =>
    mayHoldWords(path)
      ? retiredWords(path, read(path)).map((says) => ({
          rule: 'word' as const,
          workspace: workspaceOf(path, workspaces) ?? '',
          says,
        }))
      : [],
  )
}

function circles({ paths, graph }: Tree): readonly Finding[] {
  const workspaces = workspacesOf(paths)
  return circlesOf(graph).map((circle) => ({
    rule: 'circle' as const,
    workspace: workspaceOf(circle[0] ?? '', workspaces) ?? '',
    says: `a circle of ${circle.length} files: ${circle.join(', ')}`,
  }))
}

/**
 * Rules without I/O are in `domain`: they import the libraries and each other, and what they need of a row or a request
 * is a type of their own.
 */
function domains({ paths, graph }: Tree): readonly Finding[] {
  const workspaces = workspacesOf(paths)
  return [...graph].flatMap(([path, imports]) => {
    const [, own] = /^(.+\/src\/)domain\//.exec(path) ?? []
    if (own === undefined || isTest(path)) return []
    return imports
      .filter((file) => file.startsWith(own) && !file.startsWith(`${own}domain/`))
      .map((file) => ({
        rule: 'domain' as const,
        workspace: workspaceOf(path, workspaces) ?? '',
        says: `${path} imports ${file}: a domain knows nothing beside itself`,
      }))
  })
}

function folders({ paths, read }: Tree): readonly Finding[] {
  const workspaces = workspacesOf(paths)
  return [...folderSizes(paths)].flatMap(([folder, size]) => {
    const workspace = workspaceOf(`${folder}/`, workspaces)
    if (size <= MOST_IN_A_FOLDER || workspace === undefined) return []
    if (isExplained(folder, workspace, paths, read)) return []
    const says = `${folder} holds ${size} sources, more than ${MOST_IN_A_FOLDER}: part it, or say why in ${workspace}/README.md`
    return [{ rule: 'folder' as const, workspace, says }]
  })
}

/** The number of sources in each folder, without tests. */
export function folderSizes(paths: readonly string[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const path of paths) {
    if (path.endsWith('.ts') && !isTest(path)) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1)
  }
  return sizes
}

/** Whether the README of its workspace names the folder and explains the number of its files. */
function isExplained(folder: string, workspace: string, paths: readonly string[], read: Tree['read']): boolean {
  const readme = `${workspace}/README.md`
  if (!paths.includes(readme)) return false
  const name = `\`${folder.slice(workspace.length + 1)}\``
  return read(readme)
    .split(/\n\s*\n/)
    .some((paragraph) => paragraph.includes(name) && /more than (20|twenty) files/.test(paragraph))
}
