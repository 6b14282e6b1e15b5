import { Refused } from '../answers/errors.ts'
import type { Hook } from '../context.ts'
import { bearerOf, LONGEST_CREDENTIAL } from '../credentials/caller-of.ts'

/**
 * Reads the Router key of a model route, as OpenAI's clients send it (`Authorization`) or Anthropic's (`x-api-key`). What
 * it is worth the Router says, in the statement that admits the call.
 */
export const readRouterKey: Hook = (request) => {
  const header = request.headers['x-api-key']
  const key = bearerOf(request) ?? (typeof header === 'string' ? header : undefined)
  if (!key || key.length > LONGEST_CREDENTIAL) throw new Refused({ refusal: 'unauthorized' })
  request.state.routerKey = key
}
