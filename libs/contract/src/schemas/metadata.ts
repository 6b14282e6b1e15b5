import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { Scope } from './agent.ts'

/** @source RFC 8414 §2, RFC 9207 §3, RFC 9728 §4, draft-ietf-oauth-client-id-metadata-document */
export const AuthorizationServerMetadata = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url().optional(),
  token_endpoint: z.url(),
  device_authorization_endpoint: z.url(),
  revocation_endpoint: z.url(),
  registration_endpoint: z.url().optional(),
  scopes_supported: z.array(Scope).readonly(),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  grant_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  revocation_endpoint_auth_methods_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  client_id_metadata_document_supported: z.boolean().optional(),
  protected_resources: z.array(z.url()),
  service_documentation: z.url(),
})
export type AuthorizationServerMetadata = z.output<typeof AuthorizationServerMetadata>

/** @source RFC 9728 §2 */
export const ProtectedResourceMetadata = z.object({
  resource: z.url(),
  authorization_servers: z.array(z.url()),
  scopes_supported: z.array(Scope).readonly(),
  bearer_methods_supported: z.array(z.string()),
  resource_documentation: z.url(),
})
export type ProtectedResourceMetadata = z.output<typeof ProtectedResourceMetadata>

nameSchemas({ AuthorizationServerMetadata, ProtectedResourceMetadata })
