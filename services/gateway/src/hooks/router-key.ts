import { Refused } from '../answers/errors.ts'
import type { Hook } from '../context.ts'
import { bearerOf, LONGEST_CREDENTIAL } from '../credentials/caller-of.ts'

/**
 * Reads the Router key of a model route, as sent by OpenAI's clients (`Authorization`) or Anthropic's (`x-api-key`),
 * and admits requests that may pay or sign in with a wallet instead. The Router judges them, in the statement that
 * admits the call.
 */
export const readRouterKey: Hook = (request, _reply, route) => {
  const header = request.headers['x-api-key']
  const key = bearerOf(request) ?? (typeof header === 'string' ? header : undefined)
  const { mayPay, signsIn } = route.http
  const isOther = mayPay || (signsIn && request.headers['sign-in-with-x'] !== undefined)
  if (key ? key.length > LONGEST_CREDENTIAL : !isOther) throw new Refused({ refusal: 'unauthorized' })
  if (key) request.state.routerKey = key
}
