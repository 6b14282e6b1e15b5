import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { commandLine } from '@callboard/runtime/command-line'
import { ROOT } from '../generated-files.ts'
import { contentsOf, reached, readLockfile } from './contents.ts'
import { layerOf } from './layer.ts'
import { writeLayout } from './layout.ts'
import { provenanceOf } from './provenance.ts'
import { sbomOf } from './sbom.ts'
import { sourceOf } from './source.ts'
import { writeTree } from './write-tree.ts'

const USAGE = `usage: npm run image [-- --out FOLDER] [-- --tree FOLDER] [-- --help]
  Builds the image without a container engine: an OCI layout in FOLDER (dist/image), and next to it FOLDER.sbom.json
  (CycloneDX) and FOLDER.provenance.json (SLSA). The same commit gives the same digest. --tree writes only the files, for
  deploy/Dockerfile. Push the image with skopeo copy oci:dist/image docker://REGISTRY/callboard:VERSION.
  BUILDER_ID, a URI, names the builder in the provenance. DEBIAN_MIRROR replaces deb.debian.org as the source of Debian's
  packages.
exit codes: 0 done, 1 a part is not available, 2 command line not understood`

const { values } = commandLine(process.argv.slice(2), {
  usage: USAGE,
  options: { out: { type: 'string' }, tree: { type: 'string' } },
})
const lockfile = readLockfile()
const { base, node, packages, app } = await contentsOf(lockfile)
if (values.tree) writeTree(values.tree, [...base, ...node, ...packages, ...app])
else await makeImage(values.out ?? join(ROOT, 'dist/image'))

async function makeImage(out: string): Promise<void> {
  const source = sourceOf(process.env)
  const layers = [
    await layerOf('shared libraries of Debian', base, source.at),
    await layerOf('Node', node, source.at),
    await layerOf('packages of npm', packages, source.at),
    await layerOf('the services', app, source.at),
  ]
  const digest = writeLayout(out, source, layers)
  const builder = process.env.BUILDER_ID || 'https://callboard.invalid/builders/local'
  writeBeside(`${out}.sbom.json`, sbomOf(source, lockfile, reached(lockfile).packages))
  writeBeside(`${out}.provenance.json`, provenanceOf(source, digest, builder))
  for (const { holds, bytes } of layers) console.log(`  ${(bytes.length / 1e6).toFixed(1).padStart(6)} MB  ${holds}`)
  console.log(`callboard ${source.version} (${source.revision})\n${digest}`)
}

function writeBeside(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
