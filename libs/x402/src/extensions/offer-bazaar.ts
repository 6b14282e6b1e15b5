import type { OfferedExtension } from '../messages/payment-required.ts'

/** The key of the extension that describes the input and output of an offer's operation. */
export const BAZAAR = 'bazaar'

type JsonObject = Record<string, unknown>

/** An operation that takes a JSON body and answers with JSON. */
export interface SoldOperation {
  readonly method: 'POST' | 'PUT' | 'PATCH'
  /** JSON Schema of the body, and a body that fits it. */
  readonly inputSchema: JsonObject
  readonly input: JsonObject
  /** JSON Schema of the answer, and an answer that fits it. */
  readonly outputSchema: JsonObject
  readonly output: JsonObject
}

/**
 * The `bazaar` extension of our offers: `info` describes one call by example, `schema` is the JSON Schema of `info`.
 * @source `declareDiscoveryExtension` of @x402/extensions 2.27, as its server extension completes it
 */
export const offerBazaar = (sold: SoldOperation): OfferedExtension => ({
  info: {
    input: { type: 'http', bodyType: 'json', body: sold.input, method: sold.method },
    output: { type: 'json', example: sold.output },
  },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      input: {
        type: 'object',
        properties: {
          type: { type: 'string', const: 'http' },
          method: { type: 'string', enum: [sold.method] },
          bodyType: { type: 'string', enum: ['json', 'form-data', 'text'] },
          body: sold.inputSchema,
        },
        required: ['type', 'method', 'bodyType', 'body'],
        additionalProperties: false,
      },
      output: {
        type: 'object',
        properties: { type: { type: 'string' }, example: { type: 'object', ...sold.outputSchema } },
        required: ['type'],
      },
    },
    required: ['input'],
  },
})
