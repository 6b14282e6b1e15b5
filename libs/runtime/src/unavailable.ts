import { BusFault } from '@callboard/bus'
import { isOutage } from '@callboard/store'
import { refuse } from '@callboard/values'
import type { Logger } from './log.ts'

const RETRY_AFTER_SECONDS = 5

/** Whether another service, Postgres or Redis gave no answer. Every other error is a fault of the asking service. */
export const isUnavailable = (error: unknown): boolean => error instanceof BusFault || isOutage(error)

/** The refusal while something that the answer needs is unavailable: it is no verdict on what was asked. */
export function unavailable({ log }: { readonly log: Logger }, dependency: string, error: unknown) {
  log.warn({ err: error }, `the ${dependency} is unavailable`)
  const message = `The ${dependency} cannot be reached now.`
  return refuse('temporarily_unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS })
}

/**
 * Asks something that may be unavailable.
 * @param isItsOutage which errors say that it is; see also `isChainOutage` of libs/evm
 * @throws every other error
 */
export async function unlessUnavailable<T>(
  ctx: { readonly log: Logger },
  dependency: string,
  ask: () => Promise<T>,
  isItsOutage: (error: unknown) => boolean = isUnavailable,
) {
  try {
    return await ask()
  } catch (error) {
    if (!isItsOutage(error)) throw error
    return unavailable(ctx, dependency, error)
  }
}
