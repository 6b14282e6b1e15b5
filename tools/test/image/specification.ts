import { Ajv } from 'ajv'

const digest = { type: 'string', pattern: '^sha256:[a-f0-9]{64}$' }
const annotations = { type: 'object', additionalProperties: { type: 'string' } }
const descriptor = {
  type: 'object',
  required: ['mediaType', 'digest', 'size'],
  properties: {
    mediaType: { type: 'string', pattern: '^[A-Za-z0-9][\\w!#$&^.+-]{0,126}/[A-Za-z0-9][\\w!#$&^.+-]{0,126}$' },
    digest,
    size: { type: 'integer', minimum: 0 },
    annotations,
    platform: {
      type: 'object',
      required: ['architecture', 'os'],
      properties: { architecture: { type: 'string' }, os: { type: 'string' } },
    },
  },
}
const ofType = (mediaType: string) => ({
  ...descriptor,
  properties: { ...descriptor.properties, mediaType: { const: mediaType } },
})

/** The schemas of OCI image specification 1.1, as far as an image for one platform uses them. */
const SCHEMAS = {
  layout: { type: 'object', required: ['imageLayoutVersion'], properties: { imageLayoutVersion: { const: '1.0.0' } } },
  index: {
    type: 'object',
    required: ['schemaVersion', 'manifests'],
    properties: {
      schemaVersion: { const: 2 },
      mediaType: { const: 'application/vnd.oci.image.index.v1+json' },
      manifests: { type: 'array', items: ofType('application/vnd.oci.image.manifest.v1+json'), minItems: 1 },
      annotations,
    },
  },
  manifest: {
    type: 'object',
    required: ['schemaVersion', 'config', 'layers'],
    properties: {
      schemaVersion: { const: 2 },
      mediaType: { const: 'application/vnd.oci.image.manifest.v1+json' },
      config: ofType('application/vnd.oci.image.config.v1+json'),
      layers: { type: 'array', minItems: 1, items: ofType('application/vnd.oci.image.layer.v1.tar+gzip') },
      annotations,
    },
  },
  config: {
    type: 'object',
    required: ['architecture', 'os', 'rootfs'],
    properties: {
      created: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' },
      architecture: { enum: ['amd64', 'arm64'] },
      os: { const: 'linux' },
      config: {
        type: 'object',
        additionalProperties: false,
        properties: {
          User: { type: 'string' },
          Env: { type: 'array', items: { type: 'string', pattern: '^[^=]+=' } },
          Cmd: { type: 'array', items: { type: 'string' } },
          WorkingDir: { type: 'string', pattern: '^/' },
          Labels: annotations,
        },
      },
      rootfs: {
        type: 'object',
        required: ['type', 'diff_ids'],
        properties: { type: { const: 'layers' }, diff_ids: { type: 'array', items: digest } },
      },
      history: { type: 'array', items: { type: 'object', properties: { empty_layer: { type: 'boolean' } } } },
    },
  },
}

/** How a document differs from its schema, in words; empty where it does not. */
export function deviations(form: keyof typeof SCHEMAS, document: unknown): string[] {
  const ajv = new Ajv({ allErrors: true, strict: false })
  ajv.validate(SCHEMAS[form], document)
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
