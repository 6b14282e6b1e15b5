import { z } from 'zod'
import { operation } from '../../operation.ts'
import { freshSignatureRequired, invalidRequest, invalidScope, unauthorized, unavailable } from '../../refusals.ts'
import { Scope } from '../../schemas/agent.ts'

/** The query of an authorization request as it came (RFC 6749 §4.1.1), without its question mark. */
const Query = z.string().max(8_192)

/** Reading a client’s metadata document takes its time. */
const WITH_DOCUMENT_MS = 15_000

const Redirect = z.object({
  /** Where the answer goes: a host with its port, or the scheme of a program on the owner's device. */
  host: z.string(),
  /** What a page's `form-action` has to allow: an origin, or a scheme with its colon. */
  formAction: z.string(),
  to: z.enum(['site', 'loopback', 'program']),
})

/** How long what is granted lasts. */
const Lifetimes = z.object({
  /** A token ends after so many seconds, and is refreshed without asking. */
  accessTokenSeconds: z.number().int().positive(),
  /** Unused for so many days, the client has to ask again. Null where it does not refresh: the first token is all. */
  unusedDays: z.number().int().positive().nullable(),
  /** After so many days the client has to ask again in any case; null where it does not refresh. */
  mostDays: z.number().int().positive().nullable(),
})

/** An authorization request as its owner decides on it. Any program can register: its name is only a claim. */
export const AuthorizationRequest = z.object({
  client: z.object({
    id: z.string(),
    name: z.string().nullable(),
    /** The host of the metadata document that this client is known by; null where it registered. */
    documentHost: z.string().nullable(),
  }),
  redirect: Redirect,
  scopes: z.array(Scope),
  /** The resource that the tokens will be for. */
  audience: z.url(),
  lifetimes: Lifetimes,
  /** Whether a grant of this owner to this client is in force: what is asked for now comes beside it. */
  allowedBefore: z.boolean(),
})
export type AuthorizationRequest = z.output<typeof AuthorizationRequest>

/**
 * Refused with `invalid_request` where the client or its redirect URI is not known, and with `temporarily_unavailable`
 * where the client's metadata document cannot be read: then no browser may be sent anywhere. What else is wrong, the
 * client learns at `redirectTo`. Where this owner has not allowed the client before, a browser is not to follow that
 * without a click of theirs (RFC 9700 §4.11.2): any program can register, and make a request that is wrong.
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
      z.object({ verdict: z.literal('approve'), scopes: z.array(Scope).min(1) }),
      z.object({ verdict: z.literal('deny') }),
    ]),
  }),
  output: z.object({
    /** The redirect URI with `code` or `error`, `state` and `iss` (RFC 9207). */
    redirectTo: z.string(),
    redirect: Redirect,
    /** Whether `redirectTo` carries a code. Where it does not, the rule of `readAuthorization` holds for following it. */
    granted: z.boolean(),
    allowedBefore: z.boolean(),
  }),
  errors: [unauthorized, invalidRequest, invalidScope, freshSignatureRequired, unavailable],
})
