import {
  type AuthorizationServerMetadata,
  DEVICE_CODE_GRANT,
  type ProtectedResourceMetadata,
  routes,
  SCOPES,
  type Scope,
} from '@callboard/contract'
import { OWNER_PAGES } from '../pages/paths.ts'

/** Whether the contract has a route or the gateway a page at a path; the documents name only paths that exist. */
type Has = (path: string) => boolean

const isServed: Has = (path) =>
  routes().some(({ http }) => http.path === path) || OWNER_PAGES.some((page) => page === path)

/**
 * The authorization server's metadata (RFC 8414).
 * @param base the issuer: the public origin, without a trailing slash
 */
export function authorizationServer(base: string, has: Has = isServed): AuthorizationServerMetadata {
  const takesCodes = has('/oauth/authorize')
  const registers = has('/oauth/register')
  const clientAuthentication = ['none', ...(registers ? ['client_secret_basic', 'client_secret_post'] : [])]
  return {
    issuer: base,
    ...(takesCodes ? { authorization_endpoint: `${base}/oauth/authorize` } : {}),
    token_endpoint: `${base}/oauth/token`,
    device_authorization_endpoint: `${base}/oauth/device_authorization`,
    revocation_endpoint: `${base}/oauth/revoke`,
    ...(registers ? { registration_endpoint: `${base}/oauth/register` } : {}),
    scopes_supported: SCOPES,
    response_types_supported: takesCodes ? ['code'] : [],
    ...(takesCodes ? { response_modes_supported: ['query'], code_challenge_methods_supported: ['S256'] } : {}),
    grant_types_supported: [DEVICE_CODE_GRANT, 'refresh_token', ...(takesCodes ? ['authorization_code'] : [])],
    token_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    ...(takesCodes
      ? { authorization_response_iss_parameter_supported: true, client_id_metadata_document_supported: true }
      : {}),
    protected_resources: [base, `${base}/mcp`],
    service_documentation: `${base}/docs`,
  }
}

/** The metadata of one of our resources (RFC 9728). */
function protectedResource(base: string, path: '' | '/mcp', scopes: readonly Scope[]): ProtectedResourceMetadata {
  return {
    resource: `${base}${path}`,
    authorization_servers: [base],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_documentation: `${base}/docs`,
  }
}

/** All metadata documents, by path. */
export const metadataDocuments = (base: string): Readonly<Record<string, object>> => ({
  '/.well-known/oauth-authorization-server': authorizationServer(base),
  '/.well-known/oauth-protected-resource': protectedResource(base, '', SCOPES),
  '/.well-known/oauth-protected-resource/mcp': protectedResource(base, '/mcp', ['mcp:call']),
})
