import { z } from 'zod'
import { Caller } from '../caller.ts'
import { operation } from '../operation.ts'
import { invalidRequest, invalidSignature, keyLimit, notFound, unauthorized } from '../refusals.ts'
import { Address, Timestamp } from '../schemas/words.ts'

/** What a nonce may be used for; a nonce of one purpose never serves another. */
export const NoncePurpose = z.enum(['login', 'link', 'publish', 'claim'])
export type NoncePurpose = z.output<typeof NoncePurpose>

/**
 * The statement line of the EIP-4361 message of each purpose.
 * The one of `link` is fixed by the public interface.
 */
export const STATEMENTS: Readonly<Record<NoncePurpose, string>> = {
  login: 'Sign in to Callboard as the owner of this wallet.',
  link: 'Link this wallet to a service account as an agent.',
  publish: 'Publish a listing on Callboard that pays out to this wallet.',
  claim: 'Claim the mirrored listings that pay this wallet.',
}

const SignedMessage = z.strictObject({
  message: z.string().min(1).max(2048),
  signature: z
    .string()
    .regex(/^0x([0-9a-fA-F]{2})+$/, 'must be 0x and hex')
    .max(16_384),
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
  summary: 'A single-use nonce, and what the EIP-4361 message for a purpose must say',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/auth/siwe-nonce', auth: 'none', limit: 'nonce', ok: 200, stability: 'internal' },
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
  },
  input: SignedMessage,
  output: z.object({ owner: Address, expiresAt: Timestamp, sessionToken: z.string() }),
  errors: [invalidRequest, invalidSignature],
})

export const getSession = operation({
  id: 'oauth.getSession',
  summary: 'Who is signed in',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/auth/session', auth: 'session', limit: 'read', ok: 200, stability: 'internal' },
  input: z.strictObject({}),
  output: z.object({ owner: Address, expiresAt: Timestamp }),
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
  summary: 'Make an API key; its value is in this answer and nowhere else',
  timeoutMs: 5_000,
  http: { method: 'POST', path: '/api/keys', auth: 'session', limit: 'manage', ok: 201, stability: 'internal' },
  input: z.strictObject({ label: z.string().trim().min(1).max(80) }),
  output: z.object({ id: z.string(), label: z.string(), key: z.string(), createdAt: Timestamp }),
  errors: [unauthorized, keyLimit],
})

export const deleteKey = operation({
  id: 'oauth.deleteKey',
  summary: 'Revoke an API key; after the 204 no gateway accepts it',
  timeoutMs: 5_000,
  http: { method: 'DELETE', path: '/api/keys/:id', auth: 'session', limit: 'manage', ok: 204, stability: 'internal' },
  input: z.strictObject({ id: z.string().min(1).max(64) }),
  output: z.object({}),
  errors: [unauthorized, notFound],
})

/**
 * Whose credential this is. `epoch` is the account's revocation counter at the time of the answer: a cached answer is
 * good only while the shared counter `epochKey` still shows that number, and never longer than `cacheMs`.
 */
export const introspect = operation({
  id: 'oauth.introspect',
  summary: 'Whose credential this is, and until when the answer may be kept',
  timeoutMs: 3_000,
  input: z.object({ credential: z.string().max(512), kind: z.enum(['bearer', 'session']) }),
  output: z.discriminatedUnion('active', [
    z.object({ active: z.literal(false) }),
    z.object({
      active: z.literal(true),
      caller: Caller,
      epochKey: z.string(),
      epoch: z.number().int().nonnegative(),
      cacheMs: z.number().int().nonnegative(),
    }),
  ]),
  errors: [],
})
