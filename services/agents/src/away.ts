import { BusFault } from '@callboard/bus'
import { isOutage } from '@callboard/store'
import { refuse } from '@callboard/values'
import type { AgentsKit } from './kit.ts'

const RETRY_AFTER_SECONDS = 5

type Part =
  | 'authorization server'
  | 'authorization server or the Router'
  | 'nonce store'
  | 'Router'
  | 'chain of the message'
  | 'facilitator'

/** A part that the answer needs is away; nobody is judged for that. */
export function away(ctx: Pick<AgentsKit, 'log'>, part: Part, error: unknown) {
  ctx.log.warn({ err: error }, `the ${part} is away`)
  const message = `The ${part} cannot be reached now.`
  return refuse('temporarily_unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS })
}

/** Whether another service, or a store, gave no answer. */
export const isAway = (error: unknown): boolean => error instanceof BusFault || isOutage(error)

/** Whether a call surely had no effect. */
export const isNotBegun = (error: unknown): boolean => error instanceof BusFault && error.retryable

/** Asks a part that may be away. @throws what is wrong with us and not with the part */
export async function unlessAway<T>(ctx: Pick<AgentsKit, 'log'>, part: Part, ask: () => Promise<T>) {
  try {
    return await ask()
  } catch (error) {
    if (!isAway(error)) throw error
    return away(ctx, part, error)
  }
}
