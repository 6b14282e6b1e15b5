import type { Requester } from '@callboard/contract'
import type { Rate } from '@callboard/store'
import { type Address, networkOf, refuse, subscriberOf } from '@callboard/values'
import type { AgentsContext } from '../context.ts'

/** A kind of code, and how many wrong ones are tolerated. */
export interface CodeKind {
  /** Prefix of the names of its counters. */
  readonly counter: string
  /** For wrong codes, per owner and per address. */
  readonly rate: Rate
  /** For those of a whole network, where codes are short enough to be guessed: more owners and addresses cost nothing. */
  readonly ofNetwork?: Rate
}

/** Five wrong user codes within ten minutes (RFC 8628 §5.1), and twenty from one network. */
export const USER_CODES: CodeKind = {
  counter: 'wrong-codes',
  rate: { burst: 5, perMinute: 0.5 },
  ofNetwork: { burst: 20, perMinute: 2 },
}

/** Twenty wrong relay codes within ten minutes: a program may poll a few times too many for what it already read. */
export const RELAY_CODES: CodeKind = { counter: 'wrong-relay-codes', rate: { burst: 20, perMinute: 2 } }

interface TriedCode {
  /** Absent if the code is tried without a session. */
  readonly owner?: Address
  readonly requester: Requester
  readonly right: boolean
}

/**
 * Counts an attempt with a code. A right one costs nothing, but is refused like any other once too many were wrong, so
 * that guessing on reveals nothing. The code is looked up first: among many at once, a right one is refused as well.
 */
export async function countCode(
  { counters }: Pick<AgentsContext, 'counters'>,
  { counter, rate, ofNetwork }: CodeKind,
  { owner, requester, right }: TriedCode,
) {
  const counted: (readonly [key: string, rate: Rate])[] = [
    ...(owner ? [[`owner:${owner}`, rate] as const] : []),
    [`address:${subscriberOf(requester.address)}`, rate],
    ...(ofNetwork ? [[`network:${networkOf(requester.address)}`, ofNetwork] as const] : []),
  ]
  const verdicts = await Promise.all(
    counted.map(([key, most]) => counters[right ? 'peek' : 'take'](`${counter}:${key}`, most)),
  )
  const waits = verdicts.map(({ retryAfterSeconds }) => retryAfterSeconds)
  if (verdicts.every(({ allowed }) => allowed)) return undefined
  return refuse('rate_limited', { retryAfterSeconds: Math.max(...waits) })
}
