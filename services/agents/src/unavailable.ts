import { BusFault } from '@callboard/bus'
import { unavailable, unlessOutage } from '@callboard/runtime'
import { refuse } from '@callboard/values'
import type { AgentsContext } from './context.ts'

/** An instance without a Router gets one only by being restarted with it. */
const RETRY_UNSERVED_SECONDS = 60

/** The refusal when the Router is unavailable, or not run by this instance. */
export function routerUnavailable(ctx: Pick<AgentsContext, 'log'>, error: unknown) {
  if (!(error instanceof BusFault && error.kind === 'no_responder')) return unavailable(ctx, 'Router', error)
  ctx.log.warn({ err: error }, 'no Router is served')
  const message = 'This instance runs no Router. Until it does, it has no keys, allowances or models.'
  return refuse('temporarily_unavailable', { message, retryAfterSeconds: RETRY_UNSERVED_SECONDS })
}

/** Asks the Router. @throws every error that is not an outage */
export const unlessRouterUnavailable = <T>(ctx: Pick<AgentsContext, 'log'>, ask: () => Promise<T>) =>
  unlessOutage(ask, { answer: (error) => routerUnavailable(ctx, error) })

/** Whether a call certainly had no effect. */
export const isNotBegun = (error: unknown): boolean => error instanceof BusFault && error.retryable
