import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BASE_ARCHITECTURE } from './debian-base.ts'
import { digestOf, type Layer } from './layer.ts'
import type { Source } from './source.ts'

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const INDEX = 'application/vnd.oci.image.index.v1+json'
const CONFIG = 'application/vnd.oci.image.config.v1+json'
const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip'

/** @source OCI image specification 1.1, annotations */
export const labelsOf = ({ version, revision, at }: Source): Record<string, string> => ({
  'org.opencontainers.image.title': 'callboard',
  'org.opencontainers.image.description':
    'Marketplace and payment rail for agents: all services, one of which TARGET names.',
  'org.opencontainers.image.licenses': 'Apache-2.0',
  'org.opencontainers.image.version': version,
  'org.opencontainers.image.revision': revision,
  'org.opencontainers.image.created': at.toISOString(),
})

/** How the image starts; the same in deploy/Dockerfile. @source OCI image specification 1.1, config */
export const configOf = (source: Source, layers: readonly Layer[]) => ({
  created: source.at.toISOString(),
  architecture: BASE_ARCHITECTURE,
  os: 'linux',
  config: {
    User: '65534:65534',
    Env: ['PATH=/usr/local/bin', 'NODE_ENV=production', `CALLBOARD_REVISION=${source.revision}`],
    // Node itself, since npm would not pass SIGTERM on. Node 24 runs the sources directly, so there is no build.
    Cmd: ['node', 'services/all/src/main.ts', '--no-demo'],
    WorkingDir: '/app',
    Labels: labelsOf(source),
  },
  rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
  history: layers.map(({ holds }) => ({
    created: source.at.toISOString(),
    created_by: 'npm run image',
    comment: holds,
  })),
})

/**
 * Writes an image as an OCI layout, replacing what is there.
 * @returns the digest of the image's manifest, by which it is deployed
 */
export function writeLayout(folder: string, source: Source, layers: readonly Layer[]): string {
  const blobs = join(folder, 'blobs/sha256')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(blobs, { recursive: true })
  const put = (mediaType: string, bytes: Buffer) => {
    const digest = digestOf(bytes)
    writeFileSync(join(blobs, digest.slice('sha256:'.length)), bytes)
    return { mediaType, digest, size: bytes.length }
  }
  const json = (value: object) => Buffer.from(JSON.stringify(value))
  const config = put(CONFIG, json(configOf(source, layers)))
  const manifest = put(
    MANIFEST,
    json({
      schemaVersion: 2,
      mediaType: MANIFEST,
      config,
      layers: layers.map(({ bytes }) => put(LAYER, bytes)),
      annotations: labelsOf(source),
    }),
  )
  const named = {
    ...manifest,
    platform: { architecture: BASE_ARCHITECTURE, os: 'linux' },
    annotations: { 'org.opencontainers.image.ref.name': source.version },
  }
  writeFileSync(join(folder, 'index.json'), json({ schemaVersion: 2, mediaType: INDEX, manifests: [named] }))
  writeFileSync(join(folder, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }))
  return manifest.digest
}
