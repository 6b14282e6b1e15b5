import type { router } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { z } from 'zod'
import { exhausted } from '../calls/exhausted.ts'
import { limitRequests } from '../calls/key-rates.ts'
import type { RouterHandler } from '../context.ts'
import { textOfAnswer } from '../domain/answered/gathered-bytes.ts'
import { anthropicHeaders } from '../domain/asked/anthropic-headers.ts'
import { dayOf } from '../domain/day.ts'
import { objectIn } from '../domain/json.ts'
import { hashSecret } from '../keys/credential.ts'
import { candidatesFor } from '../models/candidates.ts'
import { firstAnswer } from '../models/first-answer.ts'
import { isOfRequest } from '../models/outcome.ts'
import { unknownModel } from '../models/unknown-model.ts'
import { computeLimit } from '../spending.ts'
import { tightestLevel } from '../store/spending-limit.repository.ts'
import { messageIn } from '../translate/errors.ts'

const Counted = z.object({ input_tokens: z.int().nonnegative() })

const UNCOUNTED = 'model: no provider of this model counts tokens before they are used'

/** The count is the upstream's own, since no tokenizer here covers every model. */
export const countTokens: RouterHandler<typeof router.countTokens> = async (
  { routerKey, anthropicVersion, anthropicBeta, ...body },
  ctx,
) => {
  const { db, resources, signal, clock } = ctx
  const keyHash = hashSecret(routerKey)
  const now = clock.now()
  const asked = { keyHash, ownerLimit: computeLimit(ctx), day: dayOf(now) }
  const level = await tightestLevel(db, asked)
  if (!level) return refuse('unauthorized')
  const limited = await limitRequests(ctx, keyHash)
  if (limited) return limited
  const models = resources.models.current
  const model = models.find(body.model)
  if (!model?.capabilities.includes('messages')) return unknownModel(models, body.model, 'messages')
  // Only upstreams of Anthropic's shape count.
  const candidates = candidatesFor(models, model, 'messages').map((one) => ({ ...one, part: 'counts' as const }))
  if (candidates.length === 0) return refuse('invalid_request', { field: 'model', message: UNCOUNTED })
  // Counting is free for callers who could make a call: keys cost nothing, and all share the provider's rate limit.
  if (level.left === 0n && !(await tightestLevel(db, { ...asked, fromPaidIn: true }))?.left)
    return exhausted(ctx, { ...level, limit: level.level }, 1n)
  const { headers } = anthropicHeaders({ anthropicVersion, anthropicBeta }, model)
  const first = await firstAnswer(ctx, {
    ...{ candidates, signal },
    callOf: ({ model: there }) => ({
      ...{ surface: 'countTokens', headers, body: JSON.stringify({ ...body, model: there }) },
    }),
    takes: (status) => status === 200 || isOfRequest(status),
  })
  if (!first) return refuse('upstream_error', { retryAfterSeconds: 1 })
  const { statusCode: status, body: answered } = first.answer
  const json = objectIn(await textOfAnswer(answered).catch(() => ''))
  if (status !== 200) return refuse('invalid_request', { message: messageIn(json) })
  const { success, data } = Counted.safeParse(json)
  if (success) return data
  if (!signal.aborted) first.broke()
  return refuse('upstream_error', { retryAfterSeconds: 1 })
}
