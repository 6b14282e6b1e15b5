import type { EndpointSample, HttpMethod } from '@callboard/contract'
import { sampleValue } from '@callboard/x402'
import type { OperationSchemas } from '../listed.ts'

const TAKES_BODY: ReadonlySet<HttpMethod> = new Set(['POST', 'PUT', 'PATCH'])
/** Controls, marks that turn or hide text, and line ends of Unicode: in JSON they can stand as escapes. */
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** What a call can be made with. */
export interface SampleRequest {
  readonly input: unknown
  readonly url: string
  readonly body: string | undefined
}

/** A sample call of an endpoint: by its seller's sample, or by the least that its input schema lets pass. */
export function sampleRequest(
  { method, url }: { readonly method: HttpMethod; readonly url: string },
  { inputSchema, sample }: OperationSchemas,
): SampleRequest {
  const given = sample ? givenBy(sample, method) : undefined
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

/** What of an input can stand in a query: all that is no object and no list. */
function queryOf(method: HttpMethod, input: unknown, given: Record<string, string> = {}): Record<string, string> {
  if (TAKES_BODY.has(method) || typeof input !== 'object' || input === null) return given
  const plain = Object.entries(input).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return { ...Object.fromEntries(plain.map(([name, value]) => [name, String(value)])), ...given }
}

const seen = (json: string): string =>
  json.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
