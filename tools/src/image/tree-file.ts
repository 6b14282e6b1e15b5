import { globSync, lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** An entry of a layer, without owner and times: all belong to root and have the commit's timestamp. */
export type TreeFile = { readonly path: string } & (
  | { readonly kind: 'file'; readonly mode: number; readonly read: () => Buffer }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder'; readonly mode: number }
)

const EXECUTABLE = 0o111

/**
 * The files below a folder of this machine, including links, sorted.
 * @param to their folder in the image, without a leading slash
 */
export const filesBelow = (from: string, to: string, isKept: (path: string) => boolean = () => true): TreeFile[] =>
  globSync('**/*', { cwd: from, exclude: (name) => name === 'node_modules' })
    .filter(isKept)
    .sort()
    .flatMap((path) => treeFile(join(from, path), `${to}/${path}`))

/** One file of this machine; empty for a folder. */
export function treeFile(from: string, path: string): TreeFile[] {
  const stat = lstatSync(from)
  if (stat.isSymbolicLink()) return [{ kind: 'link', path, target: readlinkSync(from) }]
  if (!stat.isFile()) return []
  const mode = stat.mode & EXECUTABLE ? 0o755 : 0o644
  return [{ kind: 'file', path, mode, read: () => readFileSync(from) }]
}

/** A file with the given text. */
export const textFile = (path: string, text: string): TreeFile => ({
  kind: 'file',
  path,
  mode: 0o644,
  read: () => Buffer.from(text),
})
