import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../generated-files.ts'
import { BASE, BASE_ARCHITECTURE } from './debian-base.ts'
import { digestOf } from './layer.ts'
import type { Source } from './source.ts'

const hex = (digest: string) => digest.slice('sha256:'.length)

/**
 * The origin of an image: the commit, the lockfile and Debian's packages by digest, and the builder. It is unsigned:
 * sign it where it is published.
 * @param digest of the image's manifest
 * @param builder who ran the program, a URI
 * @source in-toto Statement 1, SLSA Provenance 1
 */
export const provenanceOf = (source: Source, digest: string, builder: string) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'callboard', digest: { sha256: hex(digest) } }],
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'https://callboard.invalid/build/npm-run-image/v1',
      externalParameters: { version: source.version, platform: `linux/${BASE_ARCHITECTURE}` },
      internalParameters: { node: process.version },
      resolvedDependencies: [
        { name: 'callboard', digest: { gitCommit: source.revision } },
        { name: 'package-lock.json', digest: { sha256: hex(digestOf(readFileSync(join(ROOT, 'package-lock.json')))) } },
        ...BASE.map(({ name, version, sha256 }) => ({
          name: `${name}_${version}_${BASE_ARCHITECTURE}.deb`,
          digest: { sha256 },
        })),
      ],
    },
    runDetails: { builder: { id: builder } },
  },
})
