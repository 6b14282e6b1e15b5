import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { type HttpBinding, operation } from '../../operation.ts'
import {
  gasBudgetSpent,
  insufficientQuota,
  invalidRequest,
  modelNotFound,
  paymentConflict,
  paymentRequired,
  rateLimited,
  settlementPending,
  unauthorized,
  unavailable,
  upstreamError,
} from '../../refusals.ts'
import { Timestamp, Usd } from '../../schemas/words.ts'
import { KeySource } from './links.ts'

/** The secret of the caller's key, as the gateway read it from `Authorization` or `x-api-key`. */
const routerKey = z.string().max(512)
/** How a call is paid: by a key, or by a wallet that signs in or pays. */
export const paidBy = { routerKey: routerKey.optional(), signInWithX: z.string().max(8_192).optional() }

/**
 * One part of a model's answer: first its head, then its text in pieces, as the upstream wrote it.
 * The gateway forwards them as they arrive.
 */
export const AnswerPart = z.union([
  z.object({ status: z.number().int(), headers: z.record(z.string(), z.string()) }),
  z.object({ text: z.string() }),
])
export type AnswerPart = z.output<typeof AnswerPart>

/** The longest that a model call may take, up to its last token. */
const CALL_MS = 10 * 60_000
/** The largest body of a model call; it may contain images as base64. */
const maxRequestBytes = 8_000_000
const CALL_ERRORS = [
  invalidRequest,
  unauthorized,
  insufficientQuota,
  modelNotFound,
  rateLimited,
  upstreamError,
  unavailable,
  // For a payment that came with the call.
  paymentRequired,
  paymentConflict,
  gasBudgetSpent,
  settlementPending,
] as const

const openai = { auth: 'router_key', limit: 'model', ok: 200, surface: 'openai', stability: 'beta' } as const
const calls = { mayPay: true, signsIn: true } as const
const anthropic = {
  ...{ ...openai, surface: 'anthropic', ignoresQuery: true, anthropicHeaders: true },
} as const satisfies Partial<HttpBinding>
/** Headers of Anthropic's clients: the version of its API, and the betas that they use. */
const api = {
  anthropicVersion: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be the date of a version, such as 2023-06-01')
    .optional(),
  anthropicBeta: z
    .string()
    .max(2_048)
    .regex(/^([\w.-]{1,64}([ \t]*,[ \t]*[\w.-]{1,64})*)?$/, 'must be names with commas between them')
    .optional(),
}

const ModelObject = z.object({
  id: z.string(),
  object: z.literal('model'),
  /** Unix seconds. */
  created: z.number().int(),
  owned_by: z.string(),
})

export const listModels = operation({
  id: 'router.listModels',
  summary: 'The models that the key can call, as OpenAI clients list them',
  timeoutMs: 3_000,
  http: { method: 'GET', path: '/v1/models', ...openai },
  input: z.object({ routerKey }),
  output: z.object({ object: z.literal('list'), data: z.array(ModelObject) }),
  errors: [unauthorized],
})

export const getModel = operation({
  id: 'router.getModel',
  summary: 'One model, as OpenAI clients read it',
  timeoutMs: 3_000,
  http: { method: 'GET', path: '/v1/models/:model', ...openai },
  input: z.object({ routerKey, model: z.string().min(1).max(128) }),
  output: ModelObject,
  errors: [unauthorized, modelNotFound],
})

export const keyStatus = operation({
  id: 'router.keyStatus',
  summary: 'What the key has left at each level',
  timeoutMs: 3_000,
  http: { method: 'GET', path: '/v1/key', ...openai },
  input: z.object({ routerKey }),
  output: z.object({
    label: z.string(),
    source: KeySource,
    limits: z.array(
      z.object({
        limit: z.enum(['owner', 'agent', 'key', 'balance']),
        limitUsd: Usd,
        spentUsd: Usd,
        /** What calls in progress may still cost. */
        heldUsd: Usd,
        remainingUsd: Usd,
        /** When the limit resets; null for a balance, which is bought. */
        resetsAt: Timestamp.nullable(),
      }),
    ),
  }),
  errors: [unauthorized],
})

/** Members that affect what a call may cost; all others are passed on unchanged. */
const call = { ...paidBy, model: z.string().min(1).max(128), stream: z.boolean().nullish() }
const tokens = z.number().int().min(1).max(10_000_000)
const messages = z
  .array(z.looseObject({ role: z.string() }))
  .min(1)
  .max(2_000)

export const createChatCompletion = operation({
  id: 'router.createChatCompletion',
  stream: true,
  summary: 'Create a chat completion in OpenAI’s format, streamed or whole',
  timeoutMs: CALL_MS,
  maxRequestBytes,
  http: {
    method: 'POST',
    path: '/v1/chat/completions',
    ...openai,
    ...calls,
    answer: z.looseObject({ id: z.string(), object: z.literal('chat.completion'), model: z.string() }),
  },
  input: z.looseObject({
    ...call,
    messages,
    max_tokens: tokens.nullish(),
    max_completion_tokens: tokens.nullish(),
    n: z.number().int().min(1).max(16).nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  }),
  output: AnswerPart,
  errors: CALL_ERRORS,
})

export const createResponse = operation({
  id: 'router.createResponse',
  stream: true,
  summary: 'Create a response in OpenAI’s format, streamed or whole',
  timeoutMs: CALL_MS,
  maxRequestBytes,
  http: {
    method: 'POST',
    path: '/v1/responses',
    ...openai,
    ...calls,
    answer: z.looseObject({ id: z.string(), object: z.literal('response'), model: z.string() }),
  },
  input: z.looseObject({
    ...call,
    input: z.union([z.string().min(1), z.array(z.looseObject({})).min(1).max(2_000)]),
    max_output_tokens: tokens.nullish(),
  }),
  output: AnswerPart,
  errors: CALL_ERRORS,
})

export const createEmbedding = operation({
  id: 'router.createEmbedding',
  stream: true,
  summary: 'Create embeddings in OpenAI’s format',
  timeoutMs: CALL_MS,
  maxRequestBytes,
  http: {
    method: 'POST',
    path: '/v1/embeddings',
    ...openai,
    ...calls,
    answer: z.looseObject({ object: z.literal('list'), model: z.string() }),
  },
  input: z.looseObject({
    ...paidBy,
    model: call.model,
    input: z.union([z.string().min(1), z.array(z.unknown()).min(1).max(2_048)]),
  }),
  output: AnswerPart,
  errors: CALL_ERRORS,
})

export const createMessage = operation({
  id: 'router.createMessage',
  stream: true,
  summary: 'Create a message in Anthropic’s format, streamed or whole',
  timeoutMs: CALL_MS,
  maxRequestBytes,
  http: {
    method: 'POST',
    path: '/v1/messages',
    ...anthropic,
    ...calls,
    answer: z.looseObject({ id: z.string(), type: z.literal('message'), model: z.string() }),
  },
  input: z.looseObject({
    ...call,
    ...api,
    messages,
    max_tokens: tokens,
  }),
  output: AnswerPart,
  errors: CALL_ERRORS,
})

/** Generates nothing, so holds and costs nothing. It counts against the key's rate; a key without money may not ask. */
export const countTokens = operation({
  id: 'router.countTokens',
  summary: 'The number of input tokens of a message, as its upstream counts them',
  timeoutMs: 60_000,
  maxRequestBytes,
  http: { method: 'POST', path: '/v1/messages/count_tokens', ...anthropic },
  input: z.looseObject({
    routerKey,
    ...api,
    model: call.model,
    messages,
  }),
  output: z.object({ input_tokens: z.number().int() }),
  errors: [invalidRequest, unauthorized, insufficientQuota, modelNotFound, rateLimited, upstreamError, unavailable],
})

nameSchemas({ ModelObject })
