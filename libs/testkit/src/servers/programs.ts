import { existsSync, readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unpackDebian } from './debian.ts'
import { sweepParts } from './part-folder.ts'

/** A server's program that can be started here. */
export interface Program {
  readonly file: string
  /** Where it comes from, in words. */
  readonly how: string
  /** What it needs in its environment in addition to ours: the path of its libraries. */
  readonly env: NodeJS.ProcessEnv
  /** The command that runs the file where this system's own loader cannot, with its first arguments. */
  readonly loader?: readonly [command: string, ...args: string[]]
}

export interface NoProgram {
  readonly closed: string
}

/** A program to look for, and the Debian package that contains it. */
export interface Wanted {
  readonly name: string
  readonly debianPackage: string
}

/** Where servers are unpacked and where a developer may put a binary: `.cache/servers` in the repository's root. */
export const SERVERS = fileURLToPath(new URL('../../../../.cache/servers', import.meta.url))

/** The program on the PATH, or else in the project's cache. */
export function programHere({ name, debianPackage }: Wanted, cache: string = SERVERS): Program | NoProgram {
  sweepParts(treeOf(cache, debianPackage))
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  const file = [...onPath, join(cache, name)].find(isFile)
  if (file) return { file, how: file.startsWith(cache) ? `${name} in .cache/servers` : `${name} on the PATH`, env: {} }
  return unpacked(name, treeOf(cache, debianPackage)) ?? { closed: `no ${name} on the PATH or in .cache/servers` }
}

/** The program from Debian's package, unpacked into the cache without root. */
export async function programFromDebian(wanted: Wanted, cache: string = SERVERS): Promise<Program | NoProgram> {
  const place = treeOf(cache, wanted.debianPackage)
  const problem = await unpackDebian(wanted.debianPackage, place)
  if (problem !== undefined) return { closed: problem }
  return unpacked(wanted.name, place) ?? { closed: `Debian's ${wanted.debianPackage} holds no ${wanted.name}` }
}

/** The program on this machine or else from Debian: for tests that start servers of their own. */
export async function program(wanted: Wanted): Promise<Program | NoProgram> {
  const here = programHere(wanted)
  return 'file' in here ? here : programFromDebian(wanted)
}

/** A program in a tree made by `dpkg-deb -x`, with that tree's libraries. */
function unpacked(name: string, tree: string): Program | undefined {
  const folders = [join(tree, 'usr', 'sbin'), join(tree, 'usr', 'bin'), ...postgresBins(tree)]
  const file = folders.map((folder) => join(folder, name)).find(isFile)
  if (!file) return undefined
  const libraries = entries(join(tree, 'usr', 'lib')).filter((folder) => folder.includes('-linux-gnu'))
  const path = libraries.map((folder) => join(tree, 'usr', 'lib', folder)).join(':')
  return { file, how: `${name} of Debian, in .cache/servers`, env: path ? { LD_LIBRARY_PATH: path } : {} }
}

/** Debian keeps each Postgres version in a folder of its own; the newest comes first. */
export const postgresBins = (root: string): readonly string[] =>
  entries(join(root, 'usr', 'lib', 'postgresql'))
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(root, 'usr', 'lib', 'postgresql', version, 'bin'))

const treeOf = (cache: string, debianPackage: string) => join(cache, `debian-${debianPackage}`)

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

const entries = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])
