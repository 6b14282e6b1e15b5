import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')
/** Where the tarballs lie, and beside them the folders that they are made of. */
export const DIST = join(ROOT, 'dist')

/** A package that is published. Its workspace is private and runs its sources; a generated manifest takes its place. */
export interface Published {
  /** The folder of its workspace. */
  readonly room: string
  /** The folder in `dist` that becomes its tarball. */
  readonly stage: string
  /** Its entry points, by the file that each becomes. */
  readonly entries: Readonly<Record<string, string>>
  /** What the manifest says of them. */
  readonly manifest: Readonly<Record<string, unknown>>
  /** Whether other people's packages are put into the bundle. A library leaves them to the program that imports it. */
  readonly bundlesDependencies: boolean
  /** The source whose types are rolled up beside it. */
  readonly types?: string
  /** What its files may weigh together, in bytes, and packed. */
  readonly budget: { readonly unpacked: number; readonly packed: number }
}

/** Written together, released together, under one version. */
export const PUBLISHED: readonly Published[] = [
  {
    room: 'libs/client',
    stage: 'client',
    entries: { index: 'src/index.ts' },
    manifest: {
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './package.json': './package.json',
      },
      sideEffects: false,
    },
    bundlesDependencies: false,
    types: 'src/index.ts',
    budget: { unpacked: 640_000, packed: 150_000 },
  },
  {
    room: 'cli',
    stage: 'callboard',
    entries: { callboard: 'src/main.ts', run: 'src/run.ts' },
    manifest: { bin: { callboard: 'dist/callboard.js' } },
    bundlesDependencies: true,
    budget: { unpacked: 1_800_000, packed: 420_000 },
  },
]

/** A package.json, as far as packing reads it. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** @param folder from the root of the repository */
export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest

/** The name that npm gives a tarball. */
export const tarballOf = ({ name, version }: Manifest): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
