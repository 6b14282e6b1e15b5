import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')
/** The folder of the tarballs, and of the folders that they are made from. */
export const DIST = join(ROOT, 'dist')

/** A published package. Its workspace is private and runs its sources; a generated manifest replaces its own. */
export interface Published {
  /** The folder of its workspace. */
  readonly workspace: string
  /** The folder in `dist` that becomes its tarball. */
  readonly stage: string
  /** Its entry points, by the name of the file that each becomes. */
  readonly entries: Readonly<Record<string, string>>
  /** The manifest's members about them. */
  readonly manifest: Readonly<Record<string, unknown>>
  /** Whether third-party packages are bundled. A library leaves them to the program that imports it. */
  readonly bundlesDependencies: boolean
  /** The source whose types are rolled up next to it. */
  readonly types?: string
  /** The most bytes of its files in total, and packed. */
  readonly budget: { readonly unpacked: number; readonly packed: number }
}

/** Developed and released together, under one version. */
export const PUBLISHED: readonly Published[] = [
  {
    workspace: 'libs/client',
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
    workspace: 'cli',
    stage: 'callboard',
    entries: { callboard: 'src/main.ts', run: 'src/run.ts', mcp: 'src/mcp/serve.ts' },
    manifest: { bin: { callboard: 'dist/callboard.js' } },
    bundlesDependencies: true,
    budget: { unpacked: 2_800_000, packed: 660_000 },
  },
]

/** The members of a package.json that packing reads. */
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
