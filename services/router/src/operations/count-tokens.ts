import type { router } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { z } from 'zod'
import { limitRequests } from '../calls/key-rates.ts'
import type { RouterHandler } from '../context.ts'
import { hashSecret } from '../keys/credential.ts'
import { candidatesFor } from '../models/candidates.ts'
import { keyByHash } from '../store/key.repository.ts'

const Counted = z.object({ input_tokens: z.int().nonnegative() })
/** What an upstream says of a request that it cannot count. */
const Refused = z.object({ error: z.object({ message: z.string() }) })

/** The count is the upstream's own: no tokenizer here knows every model's. */
export const countTokens: RouterHandler<typeof router.countTokens> = async ({ routerKey, ...body }, ctx) => {
  const { db, resources, signal, log } = ctx
  const key = await keyByHash(db, hashSecret(routerKey))
  if (!key) return refuse('unauthorized')
  const limited = await limitRequests(ctx, key.id)
  if (limited) return limited
  const models = resources.models.current
  const model = models.find(body.model)
  if (!model?.capabilities.includes('messages')) return refuse('model_not_found', { field: 'model' })
  for (const { upstream, model: there } of candidatesFor(models, model, 'messages')) {
    try {
      const asked = JSON.stringify({ ...body, model: there })
      const answer = await resources.upstreams.send(upstream, { surface: 'countTokens', body: asked, signal })
      const json: unknown = await answer.body.json()
      if (answer.statusCode === 400) return refuse('invalid_request', { message: Refused.parse(json).error.message })
      if (answer.statusCode === 200) return Counted.parse(json)
      log.warn({ upstream: upstream.name, status: answer.statusCode }, 'an upstream refused to count')
    } catch (error) {
      if (signal.aborted) throw error
      log.warn({ err: error, upstream: upstream.name }, 'an upstream could not be asked to count')
    }
  }
  return refuse('upstream_error', { retryAfterSeconds: 1 })
}
