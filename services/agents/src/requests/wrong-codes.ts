import type { Requester } from '@callboard/contract'
import type { Rate } from '@callboard/store'
import { type Address, refuse, subscriberOf } from '@callboard/values'
import type { AgentsContext } from '../context.ts'

/** A kind of code, and how many wrong ones are tolerated. */
export interface CodeKind {
  /** Prefix of the names of its counters. */
  readonly counter: string
  /** For wrong codes, per owner and per address. */
  readonly rate: Rate
}

/** Five wrong user codes within ten minutes (RFC 8628 §5.1). */
export const USER_CODES: CodeKind = { counter: 'wrong-codes', rate: { burst: 5, perMinute: 0.5 } }

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
  { counter, rate }: CodeKind,
  { owner, requester, right }: TriedCode,
) {
  const keys = [
    ...(owner ? [`${counter}:owner:${owner}`] : []),
    `${counter}:address:${subscriberOf(requester.address)}`,
  ]
  const verdicts = await Promise.all(keys.map((key) => (right ? counters.peek(key, rate) : counters.take(key, rate))))
  const waits = verdicts.map(({ retryAfterSeconds }) => retryAfterSeconds)
  if (verdicts.every(({ allowed }) => allowed)) return undefined
  return refuse('rate_limited', { retryAfterSeconds: Math.max(...waits) })
}
