import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'
import { invalidClientMetadata, invalidRedirectUri, rateLimited, unauthorized, unavailable } from '../../refusals.ts'
import { Requester } from '../../schemas/requester.ts'
import { claimedName, shownText } from '../../schemas/shown-text.ts'

const WebUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(2_048)
  .refine((text) => /^\P{C}*$/u.test(text), 'must not hold control or format characters')

/** Metadata of a client (RFC 7591 §2) as stored; anything not named here is ignored. */
export const ClientMetadata = z.object({
  redirect_uris: z.array(z.string().max(2_048)).min(1).max(10),
  token_endpoint_auth_method: z
    .enum(['none', 'client_secret_basic', 'client_secret_post'])
    .default('client_secret_basic'),
  grant_types: z
    .array(z.enum(['authorization_code', 'refresh_token']))
    .max(8)
    .default(['authorization_code']),
  response_types: z
    .array(z.enum(['code']))
    .max(8)
    .default(['code']),
  /** The most scopes that it may request; any scope when absent. */
  scope: z.string().max(256).optional(),
  client_name: claimedName(120).optional(),
  client_uri: WebUrl.optional(),
  logo_uri: WebUrl.optional(),
  tos_uri: WebUrl.optional(),
  policy_uri: WebUrl.optional(),
  contacts: z.array(shownText('line', 254)).max(10).optional(),
  software_id: shownText('line', 128).optional(),
  software_version: shownText('line', 128).optional(),
  application_type: z.enum(['native', 'web']).optional(),
})
export type ClientMetadata = z.output<typeof ClientMetadata>

/** A client as a registration returns it (RFC 7591 §3.2.1, RFC 7592 §3). */
export const RegisteredClient = ClientMetadata.extend({
  /** A name registered under the previous release may break today's rules. */
  client_name: z.string().optional(),
  client_id: z.string(),
  /** Seconds since 1970. */
  client_id_issued_at: z.number().int(),
  /** Only in the answer that creates the secret. */
  client_secret: z.string().optional(),
  /** Present with the secret, which never expires. */
  client_secret_expires_at: z.literal(0).optional(),
  registration_access_token: z.string(),
  registration_client_uri: z.url(),
})
export type RegisteredClient = z.output<typeof RegisteredClient>

/** The client that a management request is about, and the token that authorizes managing it. */
const Managed = {
  clientId: z.string().min(1).max(128),
  registration_access_token: z.string().max(512).optional(),
}

/** The documented members of an input parsed as any object: invalid values have their own error codes here. */
const documented = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>

const PATH = '/oauth/register/:clientId'

export const register = operation({
  id: 'oauth.register',
  summary: 'Register an OAuth client (RFC 7591); only this answer has its secret and registration token',
  timeoutMs: 5_000,
  http: {
    method: 'POST',
    path: '/oauth/register',
    auth: 'none',
    limit: 'link',
    ok: 201,
    surface: 'oauth',
    requester: true,
  },
  /** `requester` is absent where a gateway of the previous release asks. */
  input: z.looseObject({ requester: Requester.optional() }).meta(documented(ClientMetadata)),
  output: RegisteredClient,
  errors: [invalidRedirectUri, invalidClientMetadata, rateLimited, unavailable],
})

export const readClient = operation({
  id: 'oauth.readClient',
  summary: 'A client’s registered metadata, for the holder of its registration token (RFC 7592)',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: PATH,
    auth: 'none',
    limit: 'manage',
    ok: 200,
    surface: 'oauth',
    registrationToken: true,
  },
  input: z.strictObject(Managed),
  output: RegisteredClient,
  errors: [unauthorized],
})

/** The new metadata replaces all of the old. A secret is created or dropped as the authentication method requires. */
export const updateClient = operation({
  id: 'oauth.updateClient',
  summary: 'Replace the metadata of a client (RFC 7592)',
  timeoutMs: 5_000,
  http: {
    method: 'PUT',
    path: PATH,
    auth: 'none',
    limit: 'manage',
    ok: 200,
    surface: 'oauth',
    registrationToken: true,
  },
  input: z
    .looseObject(Managed)
    .meta(
      documented(ClientMetadata.extend({ ...Managed, client_id: z.string(), client_secret: z.string().optional() })),
    ),
  output: RegisteredClient,
  errors: [invalidRedirectUri, invalidClientMetadata, unauthorized],
})

export const deleteClient = operation({
  id: 'oauth.deleteClient',
  summary: 'Delete a client (RFC 7592); after the 204, no gateway accepts its tokens',
  timeoutMs: 5_000,
  http: {
    method: 'DELETE',
    path: PATH,
    auth: 'none',
    limit: 'manage',
    ok: 204,
    surface: 'oauth',
    registrationToken: true,
  },
  input: z.strictObject(Managed),
  output: z.object({}),
  errors: [unauthorized],
})

nameSchemas({ RegisteredClient })
