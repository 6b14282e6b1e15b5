import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'
import { callUnderWay, notFound, unauthorized } from '../../refusals.ts'
import { queryInt, Timestamp, Usd } from '../../schemas/words.ts'
import { KeySource } from './links.ts'
import { paidBy } from './model-api.ts'

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const tokens = z.number().int()

/** The outcome of a settled call. The tokens are those charged; null where the call cost nothing. */
export const Receipt = z.object({
  id: z.string(),
  key: z.string(),
  model: z.string(),
  upstream: z.string().nullable(),
  surface: z.enum(['chat', 'responses', 'messages', 'embeddings']),
  source: KeySource,
  usage: z
    .object({
      inputTokens: tokens,
      outputTokens: tokens,
      cacheReadTokens: tokens,
      cacheWriteTokens: tokens,
      reasoningTokens: tokens,
    })
    .nullable(),
  /** Whether we counted the tokens, because the upstream did not report them. */
  estimated: z.boolean(),
  ending: z.enum(['completed', 'completed_without_usage', 'cancelled', 'broken', 'failed_before_output', 'lost']),
  /** The version of the model's prices that was charged. */
  priceVersion: z.string(),
  heldUsd: Usd,
  amountUsd: Usd,
  currency: z.literal('USD'),
  createdAt: Timestamp,
  settledAt: Timestamp,
  /** Its place among its key's receipts, from 1 and without gaps. */
  seq: z.number().int().min(1),
  /** The hash of the previous receipt; null for the first. */
  previous: Sha256.nullable(),
})
export type Receipt = z.output<typeof Receipt>

export const SignedReceipt = z.object({
  receipt: Receipt,
  /** SHA-256 of the payload of `jws`, byte for byte. */
  hash: Sha256,
  /** Compact JWS with Ed25519, whose payload is the receipt; `kid` and `jku` name the key (RFC 7515, RFC 8037). */
  jws: z.string(),
})

const PAGE = 100
/** `after` is the place of the last receipt that the reader has. */
const page = {
  after: queryInt(0, Number.MAX_SAFE_INTEGER).default(0),
  limit: queryInt(1, PAGE).default(PAGE),
}

const served = { limit: 'model', ok: 200, surface: 'openai', stability: 'beta' } as const
const withKey = { auth: 'router_key', signsIn: true, ...served } as const

export const receipt = operation({
  id: 'router.receipt',
  summary: 'The signed receipt of a call of the key or wallet, by `x-callboard-call-id`',
  timeoutMs: 3_000,
  http: { method: 'GET', path: '/v1/receipts/:id', ...withKey },
  input: z.object({ ...paidBy, id: z.string().min(1).max(64) }),
  output: SignedReceipt,
  errors: [unauthorized, notFound, callUnderWay],
})

export const receipts = operation({
  id: 'router.receipts',
  summary: 'The signed receipts of the key or wallet, in the order of their chain',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/v1/receipts', ...withKey },
  input: z.object({ ...paidBy, ...page }),
  output: z.object({ object: z.literal('list'), data: z.array(SignedReceipt), has_more: z.boolean() }),
  errors: [unauthorized],
})

export const receiptsOfKey = operation({
  id: 'router.receiptsOfKey',
  summary: 'The signed receipts of one of the owner’s keys, including an agent’s key and an ended one',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/router/keys/:id/receipts',
    auth: 'session',
    limit: 'manage',
    ok: 200,
    stability: 'internal',
  },
  input: z.strictObject({ id: z.string().min(1).max(64), ...page }),
  output: z.object({ receipts: z.array(SignedReceipt), hasMore: z.boolean() }),
  errors: [unauthorized],
})

/** @source RFC 7517 §5 */
export const receiptKeys = operation({
  id: 'router.receiptKeys',
  summary: 'The public keys of receipts as a JSON Web Key Set, including those that no longer sign',
  timeoutMs: 3_000,
  http: {
    method: 'GET',
    path: '/api/router/receipt-keys',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: 'public, max-age=30',
    stability: 'beta',
  },
  input: z.strictObject({}),
  output: z.object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string(),
        use: z.literal('sig'),
        alg: z.literal('EdDSA'),
      }),
    ),
  }),
  errors: [],
})

nameSchemas({ RouterReceipt: Receipt, SignedRouterReceipt: SignedReceipt })
