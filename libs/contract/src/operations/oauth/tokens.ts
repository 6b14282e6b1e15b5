import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'
import {
  accessDenied,
  authorizationPending,
  expiredToken,
  freshSignatureRequired,
  invalidClient,
  invalidGrant,
  invalidRequest,
  invalidScope,
  invalidTarget,
  rateLimited,
  slowDown,
  unauthorized,
  unauthorizedClient,
  unavailable,
  unsupportedGrantType,
} from '../../refusals.ts'
import { Scope } from '../../schemas/agent.ts'
import { Requester } from '../../schemas/requester.ts'
import { Address } from '../../schemas/words.ts'

export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** RFC 6749 §3.2: a parameter without a value counts as absent. Unknown ones are ignored, so the object is open. */
const Parameter = z
  .string()
  .max(2_048)
  .optional()
  .transform((text) => (text === '' ? undefined : text))

/** The most resources of one request; there are two. */
const MOST_RESOURCES = 8

/** RFC 8707: may be repeated in a form, and is then a list. */
const Resource = z
  .union([z.string().max(2_048), z.array(z.string().max(2_048)).min(1).max(MOST_RESOURCES)])
  .optional()
  .transform((given) => (given === '' ? undefined : given))

/** The credentials of RFC 6749 §2.3.1, in the body or the `Authorization` header; the gateway reads both. */
const ClientAuthentication = { client_id: Parameter, client_secret: Parameter }

/** The answer of RFC 6749 §5.1, with what an agent needs to start. */
export const TokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.number().int().positive(),
  /** Absent where the client is not registered for the grant type `refresh_token`. */
  refresh_token: z.string().optional(),
  scope: z.string(),
  owner_wallet: Address,
  /** Only in the answer that redeems a device code. */
  router_key: z.string().optional(),
  router_base_url: z.url().optional(),
  router_key_error: z.literal('router_unavailable').optional(),
})
export type TokenAnswer = z.output<typeof TokenAnswer>

export const token = operation({
  id: 'oauth.token',
  summary: 'Exchange a device code, an authorization code or a refresh token for tokens (RFC 6749, RFC 8628)',
  timeoutMs: 10_000,
  http: {
    method: 'POST',
    path: '/oauth/token',
    auth: 'client',
    limit: 'token',
    ok: 200,
    surface: 'oauth',
    forms: true,
    requester: true,
  },
  input: z.object({
    ...ClientAuthentication,
    /** Absent where a gateway of the previous release asks. */
    requester: Requester.optional(),
    grant_type: z.string().min(1).max(128),
    device_code: Parameter,
    code: Parameter,
    redirect_uri: Parameter,
    code_verifier: Parameter,
    refresh_token: Parameter,
    scope: Parameter,
    /** RFC 8707. May be sent with every grant; `{base}` or `{base}/mcp`, or both. */
    resource: Resource,
  }),
  output: TokenAnswer,
  errors: [
    invalidRequest,
    invalidClient,
    invalidGrant,
    invalidScope,
    invalidTarget,
    unauthorizedClient,
    unsupportedGrantType,
    authorizationPending,
    slowDown,
    accessDenied,
    expiredToken,
    rateLimited,
    unavailable,
  ],
})

export const revoke = operation({
  id: 'oauth.revoke',
  summary: 'Revoke an access or refresh token and its whole token family (RFC 7009)',
  timeoutMs: 5_000,
  http: {
    method: 'POST',
    path: '/oauth/revoke',
    auth: 'client',
    limit: 'token',
    ok: 200,
    surface: 'oauth',
    forms: true,
  },
  input: z.object({ ...ClientAuthentication, token: z.string().min(1).max(512), token_type_hint: Parameter }),
  output: z.object({}),
  errors: [invalidRequest, invalidClient, unavailable],
})

export const consoleToken = operation({
  id: 'oauth.consoleToken',
  summary: 'Create a short-lived access token for the listing routes, for the owner’s own pages',
  timeoutMs: 5_000,
  http: {
    method: 'POST',
    path: '/api/auth/console-token',
    auth: 'session',
    limit: 'manage',
    ok: 200,
    stability: 'internal',
  },
  input: z.strictObject({}),
  output: z.object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.literal(600),
    scope: Scope,
  }),
  errors: [unauthorized, freshSignatureRequired],
})

nameSchemas({ TokenResponse: TokenAnswer })
