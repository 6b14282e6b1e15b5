import { z } from 'zod'
import { operation } from '../../operation.ts'
import { freshSignatureRequired, invalidRequest, invalidScope, unauthorized, unavailable } from '../../refusals.ts'
import { Scope } from '../../schemas/agent.ts'

/** The query of an authorization request, as received (RFC 6749 §4.1.1), without its question mark. */
const Query = z.string().max(8_192)

/** Reading a client’s metadata document takes time. */
const WITH_DOCUMENT_MS = 15_000

const Redirect = z.object({
  /** Where the answer goes: a host with its port, or the scheme of a program on the owner's device. */
  host: z.string(),
  /** What a page's `form-action` must allow: an origin, or a scheme with its colon. */
  formAction: z.string(),
  to: z.enum(['site', 'loopback', 'program']),
})

/** How long the grant lasts. */
const Lifetimes = z.object({
  /** Seconds after which a token ends and is refreshed without asking. */
  accessTokenSeconds: z.number().int().positive(),
  /** Days without use after which the client must ask again. Null where it does not refresh: it has one token. */
  unusedDays: z.number().int().positive().nullable(),
  /** Days after which the client must ask again in any case; null where it does not refresh. */
  mostDays: z.number().int().positive().nullable(),
})

/** An authorization request as shown to its owner. Any program can register, so its name is only a claim. */
export const AuthorizationRequest = z.object({
  client: z.object({
    id: z.string(),
    name: z.string().nullable(),
    /** The host of the client's metadata document, which identifies it; null where it registered. */
    documentHost: z.string().nullable(),
  }),
  redirect: Redirect,
  scopes: z.array(Scope),
  /** The resource that the tokens will be for. */
  audience: z.url(),
  lifetimes: Lifetimes,
  /** Whether this owner already has a grant to this client in force; the new one is added to it. */
  allowedBefore: z.boolean(),
})
export type AuthorizationRequest = z.output<typeof AuthorizationRequest>

/**
 * Refused with `invalid_request` where the client or its redirect URI is unknown, and with `temporarily_unavailable`
 * where the client's metadata document cannot be read: no browser may then be redirected. The client learns of any
 * other error at `redirectTo`. If this owner has not allowed the client before, a browser must not follow that URL
 * without a click of theirs (RFC 9700 §4.11.2): any program can register, and send a faulty request.
 */
export const readAuthorization = operation({
  id: 'oauth.readAuthorization',
  summary:
    'The client that asks the signed-in owner for an authorization code, what it asks for, and where the answer goes',
  timeoutMs: WITH_DOCUMENT_MS,
  input: z.object({ query: Query }),
  output: z.union([
    z.object({ request: AuthorizationRequest }),
    z.object({ redirectTo: z.string(), redirect: Redirect, allowedBefore: z.boolean() }),
  ]),
  errors: [unauthorized, invalidRequest, unavailable],
})

export const decideAuthorization = operation({
  id: 'oauth.decideAuthorization',
  summary: 'Approve an authorization request with the scopes that the owner grants, or deny it',
  timeoutMs: WITH_DOCUMENT_MS,
  input: z.object({
    query: Query,
    decision: z.discriminatedUnion('verdict', [
      z.object({
        verdict: z.literal('approve'),
        scopes: z.array(Scope).min(1),
        /** False if the owner was told that the client has one token, whatever its metadata says by now. */
        refreshes: z.boolean().optional(),
        /** The `formAction` that the owner was shown: the answer goes nowhere else, whatever the metadata says by now. */
        formAction: z.string().max(2_048).optional(),
      }),
      z.object({ verdict: z.literal('deny') }),
    ]),
  }),
  output: z.object({
    /** The redirect URI with `code` or `error`, `state` and `iss` (RFC 9207). */
    redirectTo: z.string(),
    redirect: Redirect,
    /** Whether `redirectTo` carries a code. If not, the rule of `readAuthorization` on following it applies. */
    granted: z.boolean(),
    allowedBefore: z.boolean(),
  }),
  errors: [unauthorized, invalidRequest, invalidScope, freshSignatureRequired, unavailable],
})
