import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOf } from '@callboard/testkit/imports'
import { ROOT } from '../generated-files.ts'
import { trackedFiles, workspaceOf, workspacesOf } from '../source-files.ts'

type Versions = Readonly<Record<string, string>>

interface Manifest {
  readonly name: string
  readonly dependencies?: Versions
  readonly devDependencies?: Versions
  readonly peerDependencies?: Versions
}

/** What a package.json and the imports beside it do not agree on. */
export interface Disagreement {
  readonly workspace: string
  /** Imported, and found only because another workspace has it installed. */
  readonly undeclared: readonly string[]
  /** Declared, and named by none of its files, by no example of docs/, and by no package that needs it beside itself. */
  readonly unused: readonly string[]
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest

/** The workspaces whose package.json names other packages than their files do. What the root declares, all may use. */
export function disagreements(): readonly Disagreement[] {
  const tracked = trackedFiles()
  const workspaces = workspacesOf(tracked)
  const ofAll = Object.keys(manifestOf('.').devDependencies ?? {})
  const filesOf = Map.groupBy(tracked, (path) => workspaceOf(path, workspaces))
  const examples = (filesOf.get(undefined) ?? []).filter((path) => path.startsWith('docs/examples/'))
  return workspaces
    .map((workspace) => disagreement(workspace, { files: filesOf.get(workspace) ?? [], examples, ofAll }))
    .filter(({ undeclared, unused }) => undeclared.length + unused.length > 0)
}

interface Beside {
  readonly files: readonly string[]
  readonly examples: readonly string[]
  readonly ofAll: readonly string[]
}

function disagreement(workspace: string, { files, examples, ofAll }: Beside): Disagreement {
  const { name, dependencies = {}, devDependencies = {} } = manifestOf(workspace)
  const declared = Object.keys({ ...dependencies, ...devDependencies })
  const imported = new Set(files.filter(isSource).flatMap((path) => [...packagesOf(join(ROOT, path))]))
  const may = new Set([name, ...declared, ...ofAll])
  const peers = new Set(declared.flatMap((given) => Object.keys(installed(given)?.peerDependencies ?? {})))
  const unimported = declared.filter(
    (given) => !(imported.has(given) || given.startsWith('@types/') || peers.has(given)),
  )
  const texts = [...files, ...examples].filter((path) => isSource(path) || /\.(?:m?js|json)$/.test(path))
  const isNamed = (given: string) =>
    texts.some((path) => !path.endsWith('package.json') && names(readFileSync(join(ROOT, path), 'utf8'), given))
  return {
    workspace,
    undeclared: [...imported].filter((used) => !may.has(used)).sort(),
    unused: unimported.filter((given) => !isNamed(given)),
  }
}

/** Not only imports count: a package's folder is looked up by name, and a workspace's program is started by path. */
const names = (text: string, given: string): boolean =>
  text.includes(`'${given}`) || text.includes(`"${given}`) || text.includes(`${given.replace('@callboard', '')}/src/`)

const isSource = (path: string): boolean => /\.[cm]?tsx?$/.test(path)

function installed(given: string): Manifest | undefined {
  const folder = join('node_modules', given)
  return existsSync(join(ROOT, folder, 'package.json')) ? manifestOf(folder) : undefined
}
