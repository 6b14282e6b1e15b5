import { BusFault } from '@callboard/bus'
import { isOutage } from '@callboard/store'
import { refuse } from '@callboard/values'
import type { Logger } from './telemetry/log.ts'

const RETRY_AFTER_SECONDS = 5

/** Whether another service, Postgres or Redis gave no answer. Any other error is a fault of the calling service. */
export const isUnavailable = (error: unknown): boolean => error instanceof BusFault || isOutage(error)

/** The refusal while something that the answer needs is unavailable; it says nothing about the request itself. */
export function unavailable({ log }: { readonly log: Logger }, dependency: string, error: unknown) {
  log.warn({ err: error }, `the ${dependency} is unavailable`)
  const message = `The ${dependency} cannot be reached now.`
  return refuse('temporarily_unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS })
}

/** Which errors of a request are an outage, and how to answer then. */
export interface OutageAnswer<Answer> {
  /** See also `isChainOutage` of libs/evm. */
  readonly isItsOutage?: (error: unknown) => boolean
  readonly answer: (error: unknown) => Answer
}

/** Runs a request that may meet an outage. @throws every other error */
export async function unlessOutage<T, Answer>(
  ask: () => Promise<T>,
  { answer, isItsOutage = isUnavailable }: OutageAnswer<Answer>,
): Promise<T | Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!isItsOutage(error)) throw error
    return answer(error)
  }
}

/** Runs a request to a dependency, and answers `unavailable` during an outage. @throws every other error */
export const unlessUnavailable = <T>(
  ctx: { readonly log: Logger },
  dependency: string,
  ask: () => Promise<T>,
  isItsOutage: (error: unknown) => boolean = isUnavailable,
) => unlessOutage(ask, { isItsOutage, answer: (error) => unavailable(ctx, dependency, error) })
