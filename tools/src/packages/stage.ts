import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bundled, bundle, rollUpTypes } from './bundle.ts'
import { noticesOf } from './notices.ts'
import { DIST, manifestOf, type Published, ROOT } from './published.ts'

const NOTICES = 'THIRD-PARTY-LICENSES.md'

/** The workspaces whose packages the bundles can import. */
const WORKSPACES = ['libs/client', 'libs/contract', 'libs/values', 'libs/x402', 'cli']

/** The versions pinned by the workspaces, with which everything was tested. */
function dependenciesOf({ imports }: Bundled): Record<string, string> {
  const pinned = Object.assign({}, ...WORKSPACES.map((workspace) => manifestOf(workspace).dependencies)) as Record<
    string,
    string
  >
  return Object.fromEntries(
    imports.map((name) => {
      const version = pinned[name]
      if (version === undefined) throw new Error(`The bundle imports ${name}, which no workspace in it depends on.`)
      return [name, version]
    }),
  )
}

/** The published package.json: of the workspace's own it keeps only what identifies it. */
function publishedManifest({ workspace, manifest }: Published, bundled: Bundled, files: readonly string[]): object {
  const { name, version, description, license } = manifestOf(workspace)
  const dependencies = dependenciesOf(bundled)
  return {
    ...{ name, version, description, license },
    keywords: ['callboard', 'x402', 'agents', 'usdc'],
    type: 'module',
    engines: { node: '>=20' },
    files,
    ...manifest,
    ...(Object.keys(dependencies).length === 0 ? {} : { dependencies }),
    publishConfig: { access: 'public' },
  }
}

/** Builds the folder from which a package's tarball is made. @returns its path */
export async function stage(given: Published): Promise<string> {
  const folder = join(DIST, given.stage)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const bundled = await bundle(given, join(folder, 'dist'))
  if (given.types) await rollUpTypes(join(given.workspace, given.types), join(folder, 'dist'))
  const notices = noticesOf(bundled.files)
  if (notices) writeFileSync(join(folder, NOTICES), notices)
  const files = ['dist', 'CHANGELOG.md', ...(notices ? [NOTICES] : [])]
  const manifest = publishedManifest(given, bundled, files)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const name of ['README.md', 'CHANGELOG.md']) cpSync(join(ROOT, given.workspace, name), join(folder, name))
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  return folder
}
