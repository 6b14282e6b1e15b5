import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'

/** USD as decimal text, per token, image or request. */
const Price = z.string()

const perToken = {
  prompt: Price,
  completion: Price,
  cacheRead: Price.optional(),
  cacheWrite: Price.optional(),
  reasoning: Price.optional(),
}

const ModelPrice = z.object({
  /** The version of prices that a receipt refers to. */
  version: z.string(),
  ...perToken,
  request: Price.optional(),
  image: Price.optional(),
  /** The price of every token where the input has more than `above` tokens, in rising order. */
  tiers: z.array(z.object({ above: z.number().int(), ...perToken })).optional(),
})

/** A model, its capabilities and its prices. */
const RouterModel = z.object({
  id: z.string(),
  ownedBy: z.string(),
  contextTokens: z.number().int(),
  maxOutputTokens: z.number().int(),
  capabilities: z.array(z.enum(['chat', 'messages', 'responses', 'embeddings'])),
  /** USD for each token. */
  pricing: ModelPrice,
  /**
   * The cost of an answer whose client left before its first words: `estimate`: its input, where the provider counts
   * it; `free`: nothing. Anything received is charged.
   */
  cancelled: z.enum(['estimate', 'free']),
})

export const models = operation({
  id: 'router.models',
  summary: 'The language models that Router keys can call, with their prices',
  timeoutMs: 3_000,
  http: {
    method: 'GET',
    path: '/api/router/models',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: 'public, max-age=30',
    stability: 'beta',
  },
  input: z.strictObject({}),
  output: z.object({ models: z.array(RouterModel) }),
  errors: [],
})

nameSchemas({ RouterModel, ModelPrice })
