import type { router } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { z } from 'zod'
import { limitRequests } from '../calls/key-rates.ts'
import type { RouterHandler } from '../context.ts'
import { hashSecret } from '../keys/credential.ts'
import { candidatesFor } from '../models/candidates.ts'
import { firstAnswer } from '../models/first-answer.ts'
import { keyByHash } from '../store/key.repository.ts'

const Counted = z.object({ input_tokens: z.int().nonnegative() })
/** What an upstream says of a request that it cannot count. */
const Refused = z.object({ error: z.object({ message: z.string() }) })

/** The count is the upstream's own: no tokenizer here knows every model's. */
export const countTokens: RouterHandler<typeof router.countTokens> = async ({ routerKey, ...body }, ctx) => {
  const { db, resources, signal } = ctx
  const keyHash = hashSecret(routerKey)
  if (!(await keyByHash(db, keyHash))) return refuse('unauthorized')
  const limited = await limitRequests(ctx, keyHash)
  if (limited) return limited
  const models = resources.models.current
  const model = models.find(body.model)
  if (!model?.capabilities.includes('messages')) return refuse('model_not_found', { field: 'model' })
  const first = await firstAnswer(ctx, {
    // Only upstreams of Anthropic's shape count.
    candidates: candidatesFor(models, model, 'messages'),
    signal,
    callOf: ({ model: there }) => ({ surface: 'countTokens', body: JSON.stringify({ ...body, model: there }) }),
    takes: (status) => status === 200 || status === 400,
  })
  if (!first) return refuse('upstream_error', { retryAfterSeconds: 1 })
  const { statusCode: status, body: answered } = first.answer
  const json: unknown = await answered.json().catch(() => undefined)
  const read = status === 200 ? Counted.safeParse(json) : Refused.safeParse(json)
  if (!read.success) return refuse('upstream_error', { retryAfterSeconds: 1 })
  return 'error' in read.data ? refuse('invalid_request', { message: read.data.error.message }) : read.data
}
