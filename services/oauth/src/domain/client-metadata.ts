import { ClientMetadata, readScopes } from '@callboard/contract'
import { isRefusal, type Refusal, refuse } from '@callboard/values'
import { redirectUriProblem } from './redirect-uri.ts'

const LONGEST = 8 * 1024

type Refused = Refusal<'invalid_redirect_uri' | 'invalid_client_metadata'>

/**
 * Reads the metadata of a registration (RFC 7591 §2). Members that are null or empty count as absent; unknown members,
 * a software statement among them, are ignored.
 */
export function readClientMetadata(given: Readonly<Record<string, unknown>>): ClientMetadata | Refused {
  if (JSON.stringify(given).length > LONGEST) return metadataRefused('The metadata', 'is longer than 8 KiB')
  if (given.jwks && given.jwks_uri) return metadataRefused('jwks', 'cannot be given together with jwks_uri')
  const present = Object.entries(given).filter(([, value]) => value !== null && value !== '')
  const { data, error } = ClientMetadata.safeParse(Object.fromEntries(present))
  if (!data) return refusedIssue(error.issues[0] as Issue)
  const redirects = refusedRedirect(data)
  if (isRefusal(redirects)) return redirects
  if (data.scope !== undefined && !readScopes(data.scope)) return metadataRefused('scope', 'contains an unknown scope')
  if (!data.grant_types.includes('authorization_code')) {
    return metadataRefused('grant_types', 'must contain authorization_code, because response_types contains code')
  }
  if (data.response_types.length === 0) {
    return metadataRefused('response_types', 'must contain code, because grant_types contains authorization_code')
  }
  return data
}

function refusedRedirect({ redirect_uris }: ClientMetadata): Refused | undefined {
  for (const [index, uri] of redirect_uris.entries()) {
    const problem = redirectUriProblem(uri)
    if (problem) return redirectRefused(`redirect_uris.${index}`, problem)
  }
  return undefined
}

/** A complaint of a schema; a failed parse has at least one. */
interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

const refusedIssue = ({ path, message }: Issue): Refused =>
  path[0] === 'redirect_uris' ? redirectRefused(path.join('.'), message) : metadataRefused(path.join('.'), message)

const redirectRefused = (field: string, reason: string) =>
  refuse('invalid_redirect_uri', { field, message: `${field}: ${reason}` })

const metadataRefused = (field: string, reason: string) =>
  refuse('invalid_client_metadata', { field, message: `${field}: ${reason}` })
