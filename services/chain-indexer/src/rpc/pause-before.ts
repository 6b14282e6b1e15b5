import { SECOND_MS } from '@callboard/values'
import type { ProviderError } from './provider-error.ts'

const ATTEMPTS = 3
const FIRST_PAUSE_MS = 100
/** A longer `Retry-After` is not waited out within a step. */
const LONGEST_PAUSE_MS = 2 * SECOND_MS

/**
 * How long to wait before the next attempt; undefined when there is none in this step.
 * @param attempt the one that failed, from 1
 */
export function pauseBefore({ fault, retryAfterMs }: ProviderError, attempt: number): number | undefined {
  if (attempt >= ATTEMPTS) return undefined
  if (retryAfterMs !== undefined) return retryAfterMs <= LONGEST_PAUSE_MS ? retryAfterMs : undefined
  const isByChance = fault === 'unreachable' || fault === 'http' || fault === 'garbage'
  return isByChance ? FIRST_PAUSE_MS * attempt : undefined
}
