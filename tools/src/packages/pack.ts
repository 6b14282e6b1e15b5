import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { DIST, manifestOf, PUBLISHED, type Published, ROOT, tarballOf } from './published.ts'
import { stage } from './stage.ts'

/** What npm reports about a tarball. */
interface Packed {
  /** Its path. */
  readonly file: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/** Builds a package and makes its tarball in `dist`. */
export async function pack(given: Published): Promise<Packed> {
  const manifest = manifestOf(given.workspace)
  const file = join(DIST, tarballOf(manifest))
  rmSync(file, { force: true })
  const folder = await stage(given)
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', DIST], { cwd: folder })
  const said = JSON.parse(stdout) as Packed[] | Record<string, Packed>
  const [packed] = Object.values(said)
  if (!packed) throw new Error(`npm packed nothing of ${manifest.name}.`)
  return { ...packed, file }
}

/** How far a package exceeds its budget, in words; undefined where it does not. */
export function overBudget({ budget }: Published, { size, unpackedSize }: Packed): string | undefined {
  if (size > budget.packed) return `${size} bytes packed, and ${budget.packed} is its budget`
  return unpackedSize > budget.unpacked ? `${unpackedSize} bytes, and ${budget.unpacked} is its budget` : undefined
}

/** Both packages. */
export const packAll = (): Promise<Packed[]> => Promise.all(PUBLISHED.map(pack))

/** A line for each tarball, as the command prints them. */
export const lineOf = ({ file, size, unpackedSize, files }: Packed): string =>
  `${relative(ROOT, file)}  ${Math.ceil(size / 1_000)} kB packed, ${Math.ceil(unpackedSize / 1_000)} kB in ${files.length} files`
