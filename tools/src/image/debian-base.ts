import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import lock from './base.lock.json' with { type: 'json' }
import { filesBelow, type TreeFile, textFile } from './tree-file.ts'

/** A Debian package in the base of the image, with the digest of its file. */
export interface DebianPackage {
  readonly name: string
  readonly version: string
  readonly sha256: string
  /** Its path on a mirror. */
  readonly path: string
}

/** Sorted by name. */
export const BASE: readonly DebianPackage[] = lock.packages
export const BASE_ARCHITECTURE = lock.architecture

const run = promisify(execFile)
const MIRROR = 'https://deb.debian.org/debian'

/** From a package, only the files that Node loads, and the copyright. */
const isKept = (path: string): boolean =>
  (/(^|\/)[^/]+\.so(\.[\d.]+)?$/.test(path) && !path.includes('/gconv/')) || path.endsWith('/copyright')

const OS_RELEASE = `PRETTY_NAME="Debian GNU/Linux 12 (bookworm), shared libraries only"
NAME="Debian GNU/Linux"
VERSION_ID="12"
ID=debian
`

/**
 * The base of the image: Debian's C and C++ libraries as locked, and the few files that a process looks for. Each
 * package is fetched once, and accepted only with the lock's digest.
 * @param cache the folder that stores them
 * @throws Error where a package is unavailable, or is not the locked one
 */
export async function baseFiles(cache: string): Promise<TreeFile[]> {
  const files: TreeFile[] = [
    { kind: 'folder', path: 'tmp', mode: 0o1777 },
    textFile('etc/os-release', OS_RELEASE),
    textFile(
      'etc/passwd',
      'root:x:0:0:root:/root:/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\n',
    ),
    textFile('etc/group', 'root:x:0:\nnogroup:x:65534:\n'),
    textFile('etc/nsswitch.conf', 'hosts: files dns\n'),
  ]
  for (const one of BASE) {
    const tree = await unpacked(one, cache)
    files.push(...filesBelow(join(tree, 'data'), '', isKept).map((file) => ({ ...file, path: file.path.slice(1) })))
    // Where scanners look for installed packages in an image without dpkg.
    files.push(textFile(`var/lib/dpkg/status.d/${one.name}`, readFileSync(join(tree, 'control/control'), 'utf8')))
  }
  return files
}

/** @returns the folder with the package's `data` and `control` */
async function unpacked(one: DebianPackage, cache: string): Promise<string> {
  const place = join(cache, one.sha256)
  if (existsSync(place)) return place
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'callboard-base-'))
  try {
    const deb = join(work, 'package.deb')
    writeFileSync(deb, await fetched(one))
    await run('dpkg-deb', ['-x', deb, 'data'], { cwd: work })
    await run('dpkg-deb', ['-e', deb, 'control'], { cwd: work })
    await run('cp', ['-a', work, `${place}.part-${process.pid}`])
    renameSync(`${place}.part-${process.pid}`, place)
    return place
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** @throws Error that says where to find an older package */
async function fetched({ name, version, path, sha256 }: DebianPackage): Promise<Buffer> {
  const url = `${process.env.DEBIAN_MIRROR || MIRROR}/${path}`
  const answer = await fetch(url, { signal: AbortSignal.timeout(120_000) })
  if (!answer.ok) {
    throw new Error(
      `${url} is ${answer.status}: mirrors keep the newest ${name} alone. Renew base.lock.json, or set DEBIAN_MIRROR to a snapshot that has ${version} (https://snapshot.debian.org/archive/debian/DATE).`,
    )
  }
  const bytes = Buffer.from(await answer.arrayBuffer())
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== sha256) throw new Error(`${url} has the digest ${found}, and the lock says ${sha256}`)
  return bytes
}
