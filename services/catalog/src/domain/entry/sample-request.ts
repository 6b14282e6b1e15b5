import type { EndpointSample, HttpMethod } from '@callboard/contract'
import { sampleValue } from '@callboard/x402'
import type { OperationSchemas } from '../listed.ts'

const TAKES_BODY: ReadonlySet<HttpMethod> = new Set(['POST', 'PUT', 'PATCH'])
/** Control characters, what reorders text or is not drawn, as tags are not, and Unicode line ends: JSON can escape them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu

/** The parts of a sample call. */
export interface SampleRequest {
  readonly input: unknown
  readonly url: string
  readonly body: string | undefined
}

/**
 * A sample call of an endpoint: from its seller's sample, else as its offer gives one by example, else with the least that
 * its input schema accepts.
 */
export function sampleRequest(
  { method, url }: { readonly method: HttpMethod; readonly url: string },
  { inputSchema, inputExample, sample }: OperationSchemas,
): SampleRequest {
  const given = (sample ? givenBy(sample, method) : undefined) ?? inputExample
  const input = given ?? (inputSchema ? sampleValue(inputSchema) : null)
  const asked = new URL(url)
  for (const [name, value] of Object.entries(queryOf(method, input, sample?.query))) {
    if (!asked.searchParams.has(name)) asked.searchParams.set(name, value)
  }
  const hasBody = TAKES_BODY.has(method) && input !== null
  return { input, url: asked.href, body: hasBody ? seen(JSON.stringify(input)) : undefined }
}

const givenBy = ({ body, schema, query }: Omit<EndpointSample, 'headers'>, method: HttpMethod): unknown => {
  if (!TAKES_BODY.has(method)) return query
  return body ?? (schema ? sampleValue(schema) : undefined)
}

/** The parts of an input that fit into a query: everything except objects and lists. */
function queryOf(method: HttpMethod, input: unknown, given: Record<string, string> = {}): Record<string, string> {
  if (TAKES_BODY.has(method) || typeof input !== 'object' || input === null) return given
  const plain = Object.entries(input).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return { ...Object.fromEntries(plain.map(([name, value]) => [name, String(value)])), ...given }
}

const seen = (json: string): string =>
  json.replace(UNSEEN, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
