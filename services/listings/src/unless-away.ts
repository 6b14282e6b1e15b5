import { refuse } from '@callboard/values'
import type { ListingsKit } from './kit.ts'

const RETRY_AFTER_SECONDS = 5

/** Reads a chain; a node that cannot be asked is an answer of its own, never a verdict on the listing. */
export async function readChain<T>({ log }: Pick<ListingsKit, 'log'>, read: () => Promise<T>) {
  try {
    return await read()
  } catch (error) {
    log.warn({ err: error }, 'a chain could not be read')
    const message = 'The payout network cannot be read now.'
    return refuse('temporarily_unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
}
