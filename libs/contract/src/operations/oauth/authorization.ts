import { z } from 'zod'
import { operation } from '../../operation.ts'
import { freshSignatureRequired, invalidRequest, invalidScope, unauthorized, unavailable } from '../../refusals.ts'
import { Scope } from '../../schemas/agent.ts'

/** The query of an authorization request as it came (RFC 6749 §4.1.1), without its question mark. */
const Query = z.string().max(8_192)

/** Reading a client’s metadata document takes its time. */
const WITH_DOCUMENT_MS = 15_000

/** An authorization request as its owner decides on it. Any program can register: its name is only a claim. */
export const AuthorizationRequest = z.object({
  client: z.object({
    id: z.string(),
    name: z.string().nullable(),
    /** The host of the metadata document that this client is known by; null where it registered. */
    documentHost: z.string().nullable(),
  }),
  redirect: z.object({
    /** Where the answer goes: a host with its port, or the scheme of a program on the owner's device. */
    host: z.string(),
    /** What a page's `form-action` has to allow: an origin, or a scheme with its colon. */
    formAction: z.string(),
    to: z.enum(['site', 'loopback', 'program']),
  }),
  scopes: z.array(Scope),
  /** The resource that the tokens will be for. */
  audience: z.url(),
})
export type AuthorizationRequest = z.output<typeof AuthorizationRequest>

/**
 * Refused with `invalid_request` where the client or its redirect URI is not known, and with `temporarily_unavailable`
 * where the client's metadata document cannot be read: then nobody may be sent anywhere. What else is wrong is told to the
 * client, at `redirectTo`.
 */
export const readAuthorization = operation({
  id: 'oauth.readAuthorization',
  summary: 'Who asks the signed-in owner for an authorization code, for what, and where the answer goes',
  timeoutMs: WITH_DOCUMENT_MS,
  input: z.object({ query: Query }),
  output: z.union([z.object({ request: AuthorizationRequest }), z.object({ redirectTo: z.string() })]),
  errors: [unauthorized, invalidRequest, unavailable],
})

export const decideAuthorization = operation({
  id: 'oauth.decideAuthorization',
  summary: 'Approve an authorization request with the scopes that the owner leaves it, or deny it',
  timeoutMs: WITH_DOCUMENT_MS,
  input: z.object({
    query: Query,
    decision: z.discriminatedUnion('verdict', [
      z.object({ verdict: z.literal('approve'), scopes: z.array(Scope).min(1) }),
      z.object({ verdict: z.literal('deny') }),
    ]),
  }),
  /** The redirect URI with `code` or `error`, `state` and `iss` (RFC 9207). */
  output: z.object({ redirectTo: z.string() }),
  errors: [unauthorized, invalidRequest, invalidScope, freshSignatureRequired, unavailable],
})
