import { Refused } from '../answers/errors.ts'
import type { Hook } from '../context.ts'
import { bearerOf, LONGEST_CREDENTIAL } from '../credentials/caller-of.ts'

/**
 * Reads the Router key of a model route, as OpenAI's clients send it (`Authorization`) or Anthropic's (`x-api-key`), and
 * where a call may pay for itself a wallet's sign-in. What they are worth the Router says, in the statement that admits the call.
 */
export const readRouterKey: Hook = (request, _reply, route) => {
  const header = request.headers['x-api-key']
  const key = bearerOf(request) ?? (typeof header === 'string' ? header : undefined)
  if (key ? key.length > LONGEST_CREDENTIAL : !route.http.mayPay) throw new Refused({ refusal: 'unauthorized' })
  if (key) request.state.routerKey = key
}
