import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { pack } from 'tar-stream'
import type { TreeFile } from './tree-file.ts'

/** A layer as stored in the image. */
export interface Layer {
  /** Its content, in words. */
  readonly holds: string
  readonly bytes: Buffer
  /** The digest of the compressed bytes. */
  readonly digest: string
  /** The digest of the archive inside. */
  readonly diffId: string
}

export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/**
 * Packs files into a layer: sorted by path, owned by root and with one timestamp, so that the same files make the same
 * bytes.
 * @param at the timestamp of all of them
 */
export async function layerOf(holds: string, files: readonly TreeFile[], at: Date): Promise<Layer> {
  const archive = await archiveOf(files, at)
  const bytes = await promisify(gzip)(archive)
  return { holds, bytes, digest: digestOf(bytes), diffId: digestOf(archive) }
}

/** Packs files without compressing them. @param at the timestamp of all of them */
export async function archiveOf(files: readonly TreeFile[], at: Date): Promise<Buffer> {
  const archive = pack()
  const packed = buffer(archive)
  const all = new Map([...foldersOf(files), ...files].map((file) => [file.path, file]))
  for (const file of [...all.values()].toSorted((left, right) => (left.path < right.path ? -1 : 1))) {
    const common = { name: file.path, mtime: at, uid: 0, gid: 0, uname: '', gname: '' }
    if (file.kind === 'folder') archive.entry({ ...common, type: 'directory', mode: file.mode })
    else if (file.kind === 'link') archive.entry({ ...common, type: 'symlink', mode: 0o777, linkname: file.target })
    else archive.entry({ ...common, mode: file.mode }, file.read())
  }
  archive.finalize()
  return packed
}

/** Every folder that contains files. */
function foldersOf(files: readonly TreeFile[]): TreeFile[] {
  const paths = new Set<string>()
  for (const { path } of files) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) paths.add(path.slice(0, at))
  }
  return [...paths].map((path) => ({ kind: 'folder', path, mode: 0o755 }))
}
