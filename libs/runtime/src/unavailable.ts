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

/** Which errors of a question are an outage, and what they are answered with. */
export interface OutageAnswer<Answer> {
  /** See also `isChainOutage` of libs/evm. */
  readonly isItsOutage?: (error: unknown) => boolean
  readonly answer: (error: unknown) => Answer
}

/** Asks something that may be unavailable. @throws every error that is no outage */
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

/** Asks a dependency that may be unavailable, which is then said. @throws every error that is no outage */
export const unlessUnavailable = <T>(
  ctx: { readonly log: Logger },
  dependency: string,
  ask: () => Promise<T>,
  isItsOutage: (error: unknown) => boolean = isUnavailable,
) => unlessOutage(ask, { isItsOutage, answer: (error) => unavailable(ctx, dependency, error) })
