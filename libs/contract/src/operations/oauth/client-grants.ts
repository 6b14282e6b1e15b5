import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'
import { notFound, unauthorized } from '../../refusals.ts'
import { Scope } from '../../schemas/agent.ts'
import { More, queryBoolean, Timestamp } from '../../schemas/words.ts'

/** When a grant ends. */
const Ends = {
  /** When its tokens end unless refreshed before. */
  expiresAt: Timestamp,
  /** When they end in any case, so that the owner is asked again. */
  endsAt: Timestamp,
}

/** One approval of a client by an owner; each is a token family of its own. */
const Authorization = z.object({
  scopes: z.array(Scope),
  /** The resource that its tokens are for (RFC 8707). */
  audience: z.url(),
  /** Where the answer went: a host with its port, or a program's scheme; null if the previous release granted it. */
  redirectHost: z.string().nullable(),
  grantedAt: Timestamp,
  /** To the minute; null if none of its tokens was ever used. */
  lastUsedAt: Timestamp.nullable(),
  ...Ends,
})

/**
 * Everything in force that an owner granted to an OAuth client other than an agent, combined. Agents are linked, listed
 * and ended by the operations of `agents`.
 */
export const ClientGrant = z.object({
  /** Identifies the client in this owner's routes; stable for the client's lifetime. */
  id: z.string(),
  client: z.object({
    id: z.string(),
    /** By RFC 7591, or by the metadata document at its id. */
    registeredBy: z.enum(['dynamic_registration', 'metadata_document']),
    /** When it registered here, or when its document was first read. */
    registeredAt: Timestamp,
    /** The host of the metadata document; null where it registered. */
    documentHost: z.string().nullable(),
  }),
  /** What the client says about itself, unchecked. */
  claimed: z.object({ name: z.string().nullable() }),
  /** Where its answers were sent, newest first; at most 20. */
  redirectHosts: z.array(z.string()),
  /** All scopes that any of its tokens has. */
  scopes: z.array(Scope),
  audiences: z.array(z.url()),
  /** The earliest approval still in force. */
  grantedAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
  ...Ends,
})
export type ClientGrant = z.output<typeof ClientGrant>

const owners = { auth: 'session', stability: 'internal' } as const
const PATH = '/api/auth/grants/:id'
const GrantInput = z.strictObject({ id: z.string().min(1).max(64) })

export const listClientGrants = operation({
  id: 'oauth.listClientGrants',
  summary: 'The programs that the owner allowed to act on their behalf, except agents; most recently allowed first',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/auth/grants', ...owners, limit: 'read', ok: 200 },
  input: z.strictObject({}),
  output: z.object({ grants: z.array(ClientGrant), more: More }),
  errors: [unauthorized],
})

export const readClientGrant = operation({
  id: 'oauth.readClientGrant',
  summary: 'The owner’s grants to one program, each listed separately',
  timeoutMs: 5_000,
  http: { method: 'GET', path: PATH, ...owners, limit: 'read', ok: 200 },
  input: GrantInput,
  output: z.object({ grant: ClientGrant.extend({ authorizations: z.array(Authorization) }), more: More }),
  errors: [unauthorized, notFound],
})

/** Unredeemed codes end too. Repeating it is no error; a program that this owner never allowed is not found. */
export const endClientGrant = operation({
  id: 'oauth.endClientGrant',
  summary: 'End all of the owner’s grants to a program; after the 204, no gateway accepts its tokens',
  timeoutMs: 5_000,
  http: { method: 'DELETE', path: PATH, ...owners, limit: 'manage', ok: 204 },
  input: GrantInput,
  output: z.object({}),
  errors: [unauthorized, notFound],
})

export const endClientGrants = operation({
  id: 'oauth.endClientGrants',
  summary: 'End the owner’s grants to all programs except agents; after the 204, no gateway accepts their tokens',
  timeoutMs: 5_000,
  http: { method: 'DELETE', path: '/api/auth/grants', ...owners, limit: 'manage', ok: 204 },
  input: z.strictObject({}),
  output: z.object({}),
  errors: [unauthorized],
})

/**
 * Ends what a browser holds: sessions and the console tokens made with them. Programs, agents and API keys outlive
 * every session: the answer counts what remains, and `grants=true` ends the programs too.
 */
export const endSessions = operation({
  id: 'oauth.endSessions',
  summary: 'Sign out everywhere, including here; with `grants=true`, also end the grants of every program',
  timeoutMs: 5_000,
  http: {
    method: 'DELETE',
    path: '/api/auth/sessions',
    ...owners,
    limit: 'manage',
    ok: 200,
    sessionCookie: 'clears',
  },
  input: z.strictObject({ grants: queryBoolean.optional() }),
  output: z.object({
    ended: z.object({ sessions: z.number().int().nonnegative(), programs: z.number().int().nonnegative() }),
    /** What remains, and has its own routes to end it. */
    stays: z.object({
      programs: z.number().int().nonnegative(),
      agents: z.number().int().nonnegative(),
      apiKeys: z.number().int().nonnegative(),
    }),
  }),
  errors: [unauthorized],
})

nameSchemas({ ClientAuthorization: Authorization, ClientGrant })
