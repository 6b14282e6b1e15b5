import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'
import {
  freshSignatureRequired,
  invalidRequest,
  invalidSignature,
  keyLimit,
  notFound,
  unauthorized,
  unavailable,
} from '../../refusals.ts'
import { Requester } from '../../schemas/requester.ts'
import { shownText } from '../../schemas/shown-text.ts'
import { Address, More, Timestamp, WalletSignature } from '../../schemas/words.ts'

/** The purpose of a nonce; it cannot be used for another. */
export const NoncePurpose = z.enum(['login', 'link', 'publish', 'claim'])
export type NoncePurpose = z.output<typeof NoncePurpose>

/**
 * The statement line of the EIP-4361 message for each purpose.
 * The public interface fixes that of `link`.
 */
export const STATEMENTS: Readonly<Record<NoncePurpose, string>> = {
  login: 'Sign in to Callboard as the owner of this wallet.',
  link: 'Link this wallet to a service account as an agent.',
  publish: 'Publish a listing on Callboard that pays out to this wallet.',
  claim: 'Claim the mirrored listings that pay this wallet.',
}

const SignedMessage = z.strictObject({
  message: z.string().min(1).max(2048),
  signature: WalletSignature,
})

const KeyRecord = z.object({
  id: z.string(),
  label: z.string(),
  /** The key's first characters, to tell keys apart. */
  prefix: z.string(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
})

export const siweNonce = operation({
  id: 'oauth.siweNonce',
  summary: 'A single-use nonce, and the required content of the EIP-4361 message for a purpose',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/auth/siwe-nonce',
    auth: 'none',
    limit: 'nonce',
    ok: 200,
    stability: 'internal',
    changes: true,
  },
  input: z.strictObject({ purpose: NoncePurpose }),
  output: z.object({
    nonce: z.string(),
    expiresAt: Timestamp,
    statement: z.string(),
    domain: z.string(),
    uri: z.string(),
  }),
  errors: [],
})

const SignedIn = z.object({ owner: Address, expiresAt: Timestamp })

export const createSession = operation({
  id: 'oauth.createSession',
  summary: 'Sign in as an owner with an EIP-4361 message of purpose login',
  timeoutMs: 10_000,
  http: {
    method: 'POST',
    path: '/api/auth/session',
    auth: 'none',
    limit: 'signIn',
    ok: 200,
    stability: 'internal',
    sessionCookie: 'sets',
    requester: true,
  },
  input: SignedMessage.extend({
    requester: Requester,
    /** The session token in the request's cookie; that session ends when the new one begins. */
    replacedSession: z.string().max(512).optional(),
  }),
  output: SignedIn.extend({ sessionToken: z.string() }),
  errors: [invalidRequest, invalidSignature, unavailable],
})

export const getSession = operation({
  id: 'oauth.getSession',
  summary: 'The signed-in owner',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/auth/session', auth: 'session', limit: 'read', ok: 200, stability: 'internal' },
  input: z.strictObject({}),
  output: SignedIn,
  errors: [unauthorized],
})

export const deleteSession = operation({
  id: 'oauth.deleteSession',
  summary: 'Sign out',
  timeoutMs: 5_000,
  http: {
    method: 'DELETE',
    path: '/api/auth/session',
    auth: 'session',
    limit: 'manage',
    ok: 204,
    stability: 'internal',
    sessionCookie: 'clears',
  },
  input: z.strictObject({}),
  output: z.object({}),
  errors: [unauthorized],
})

export const listKeys = operation({
  id: 'oauth.listKeys',
  summary: 'The active API keys of the owner',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/keys', auth: 'session', limit: 'read', ok: 200, stability: 'internal' },
  input: z.strictObject({}),
  output: z.object({ keys: z.array(KeyRecord) }),
  errors: [unauthorized],
})

export const createKey = operation({
  id: 'oauth.createKey',
  summary: 'Create an API key; its value is in this answer and nowhere else',
  timeoutMs: 5_000,
  http: { method: 'POST', path: '/api/keys', auth: 'session', limit: 'link', ok: 201, stability: 'internal' },
  input: z.strictObject({ label: shownText('line', 80).min(1) }),
  output: z.object({ id: z.string(), label: z.string(), key: z.string(), createdAt: Timestamp }),
  errors: [unauthorized, freshSignatureRequired, keyLimit],
})

export const deleteKey = operation({
  id: 'oauth.deleteKey',
  summary: 'Revoke an API key; after the 204, no gateway accepts it',
  timeoutMs: 5_000,
  http: { method: 'DELETE', path: '/api/keys/:id', auth: 'session', limit: 'manage', ok: 204, stability: 'internal' },
  input: z.strictObject({ id: z.string().min(1).max(64) }),
  output: z.object({}),
  errors: [unauthorized, notFound],
})

const SessionRecord = z.object({
  id: z.string(),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
  expiresAt: Timestamp,
  /** Where it was opened from, as the edge saw it. */
  openedFrom: Requester,
  /** The session of this request. */
  current: z.boolean(),
})

export const listSessions = operation({
  id: 'oauth.listSessions',
  summary: 'The owner’s active sessions, newest first',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/auth/sessions', auth: 'session', limit: 'read', ok: 200, stability: 'internal' },
  input: z.strictObject({}),
  output: z.object({ sessions: z.array(SessionRecord), more: More }),
  errors: [unauthorized],
})

export const endSession = operation({
  id: 'oauth.endSession',
  summary: 'End one of the owner’s sessions; after the 204, no gateway accepts it',
  timeoutMs: 5_000,
  http: {
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    auth: 'session',
    limit: 'manage',
    ok: 204,
    stability: 'internal',
  },
  input: z.strictObject({ id: z.string().min(1).max(64) }),
  output: z.object({}),
  errors: [unauthorized, notFound],
})

nameSchemas({ NoncePurpose, SignedIn, ApiKey: KeyRecord, Session: SessionRecord })
