import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bundled, bundle, rollUpTypes } from './bundle.ts'
import { noticesOf } from './notices.ts'
import { DIST, manifestOf, type Published, ROOT } from './published.ts'

const NOTICES = 'THIRD-PARTY-LICENSES.md'

/** The rooms whose packages the bundles can import. */
const ROOMS = ['libs/client', 'libs/contract', 'libs/values', 'libs/x402', 'cli']

/** The versions that the workspaces pin: those that everything was tested with. */
function dependenciesOf({ imports }: Bundled): Record<string, string> {
  const pinned = Object.assign({}, ...ROOMS.map((room) => manifestOf(room).dependencies)) as Record<string, string>
  return Object.fromEntries(
    imports.map((name) => {
      const version = pinned[name]
      if (version === undefined) throw new Error(`The bundle imports ${name}, which no workspace in it depends on.`)
      return [name, version]
    }),
  )
}

/** The package.json that is published: nothing of the workspace's but what it is called. */
function publishedManifest({ room, manifest }: Published, bundled: Bundled, files: readonly string[]): object {
  const { name, version, description, license } = manifestOf(room)
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

/** Builds the folder that a package's tarball is made of. @returns where it is */
export async function stage(given: Published): Promise<string> {
  const folder = join(DIST, given.stage)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const bundled = await bundle(given, join(folder, 'dist'))
  if (given.types) await rollUpTypes(join(given.room, given.types), join(folder, 'dist'))
  const notices = noticesOf(bundled.files)
  if (notices) writeFileSync(join(folder, NOTICES), notices)
  const files = ['dist', 'CHANGELOG.md', ...(notices ? [NOTICES] : [])]
  const manifest = publishedManifest(given, bundled, files)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const name of ['README.md', 'CHANGELOG.md']) cpSync(join(ROOT, given.room, name), join(folder, name))
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  return folder
}
