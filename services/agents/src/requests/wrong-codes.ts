import type { Requester } from '@callboard/contract'
import type { Rate } from '@callboard/store'
import { type Address, refuse } from '@callboard/values'
import type { AgentsKit } from '../kit.ts'

/** Five wrong user codes within ten minutes (RFC 8628 §5.1), per owner and per address. */
const WRONG_CODES: Rate = { burst: 5, perMinute: 0.5 }

/**
 * Counts a user code that was tried. A right one costs nothing, but is refused as any other once too many were wrong, so
 * that guessing on tells nothing. The code is looked up before: of many at once, a right one does not pass either.
 */
export async function countCode(
  { counters }: Pick<AgentsKit, 'counters'>,
  { owner, requester, right }: { owner: Address; requester: Requester; right: boolean },
) {
  const keys = [`wrong-codes:owner:${owner}`, `wrong-codes:address:${requester.address}`]
  const verdicts = await Promise.all(
    keys.map((key) => (right ? counters.peek(key, WRONG_CODES) : counters.take(key, WRONG_CODES))),
  )
  const waits = verdicts.map(({ retryAfterSeconds }) => retryAfterSeconds)
  if (verdicts.every(({ allowed }) => allowed)) return undefined
  return refuse('rate_limited', { retryAfterSeconds: Math.max(...waits) })
}
