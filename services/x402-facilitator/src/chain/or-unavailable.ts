import { type Refusal, refuse } from '@callboard/values'
import { ChainAway } from './chain-away.ts'

const RETRY_AFTER_SECONDS = 2

/** What a handler answers while a chain is away: "ask again", which is neither valid nor invalid. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T | Refusal<'temporarily_unavailable'>> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ChainAway)) throw error
    return refuse('temporarily_unavailable', {
      message: 'The chain cannot be asked right now; nothing was sent. Ask again.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
}
