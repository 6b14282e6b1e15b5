import { type ClientMetadata, SCOPES } from '@callboard/contract'
import { DAY_MS, HOUR_MS, isRefusal, MINUTE_MS, SECOND_MS } from '@callboard/values'
import { readClientMetadata } from './client-metadata.ts'

/** Larger documents are not read. */
export const MAX_DOCUMENT_BYTES = 5 * 1024

/** A server's answer at the URL of a client's metadata document. */
export interface DocumentAnswer {
  readonly status: number
  /** Lower case, without parameters. */
  readonly mediaType: string | null
  readonly text: string
}

/** The client's metadata in a document, or in words why it cannot be accepted. */
export type ReadDocument = { readonly metadata: ClientMetadata } | { readonly problem: string }

const GRANTS: readonly unknown[] = ['authorization_code', 'refresh_token']
const NO_SECRETS = ['client_secret', 'client_secret_expires_at']

/**
 * Reads a client's metadata document. It is written for all servers alike, so grant types, response types and scopes
 * that are unknown here are ignored. Such a client has no secret and is public here.
 * @param id the document's URL, which the document must name character by character
 * @source draft-ietf-oauth-client-id-metadata-document, "Client Metadata"
 */
export function readMetadataDocument(id: string, { status, mediaType, text }: DocumentAnswer): ReadDocument {
  if (status !== 200) return { problem: `was answered with status ${status}` }
  if (!/^application\/([^\s/;]+\+)?json$/.test(mediaType ?? '')) return { problem: 'is not served as JSON' }
  const document = objectOf(text)
  if (!document) return { problem: 'is not a JSON object' }
  if (document.client_id !== id) return { problem: 'names another client_id' }
  const secret = NO_SECRETS.find((member) => document[member] !== undefined)
  if (secret) return { problem: `must not contain ${secret}` }
  if (!worksWithoutSecret(document)) return { problem: 'does not offer the token_endpoint_auth_method none' }
  const metadata = readClientMetadata({
    ...document,
    token_endpoint_auth_method: 'none',
    grant_types: known(document.grant_types, GRANTS),
    response_types: known(document.response_types, ['code']),
    scope: typeof document.scope === 'string' ? known(document.scope.split(' '), SCOPES).join(' ') : document.scope,
  })
  if (isRefusal(metadata)) return { problem: `is not valid: ${metadata.message}` }
  return metadata.client_name ? { metadata } : { problem: 'does not name its client (client_name)' }
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** A document may prefer keys, as ChatGPT's does, as long as the client can do without. */
function worksWithoutSecret(document: Readonly<Record<string, unknown>>): boolean {
  const { token_endpoint_auth_method: method = 'none', token_endpoint_auth_methods_supported: offered } = document
  if (method === 'none') return true
  if (typeof method !== 'string' || method.startsWith('client_secret')) return false
  return Array.isArray(offered) && offered.includes('none')
}

/** The known items; anything but a list is kept for validation to reject. */
const known = <Value>(given: Value, ours: readonly unknown[]) =>
  (Array.isArray(given) ? given.filter((item) => ours.includes(item)) : given) as Value

/**
 * How long a document may be used without reading it again: at least five minutes, so that one flow sees the same
 * document, and at most a week, whatever its server allows.
 * @param maxAgeSeconds from `Cache-Control`; null if absent
 */
export const freshForMs = (maxAgeSeconds: number | null): number =>
  maxAgeSeconds === null ? HOUR_MS : Math.min(Math.max(maxAgeSeconds * SECOND_MS, 5 * MINUTE_MS), 7 * DAY_MS)
