import { refuse } from '@callboard/values'
import type { ListingsKit } from './kit.ts'

const RETRY_AFTER_SECONDS = 5

/**
 * Asks a part that may be away. That it is away is an answer of its own: it never becomes a verdict on a listing or on
 * a signature.
 */
export async function unlessAway<T>(
  { log }: Pick<ListingsKit, 'log'>,
  part: 'payout network' | 'nonce store',
  ask: () => Promise<T>,
) {
  try {
    return await ask()
  } catch (error) {
    log.warn({ err: error }, `the ${part} is away`)
    const message = `The ${part} cannot be reached now.`
    return refuse('temporarily_unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
}
