import type { Requester } from '@callboard/contract'
import type { Rate } from '@callboard/store'
import { type Address, refuse, subscriberOf } from '@callboard/values'
import type { AgentsContext } from '../context.ts'

/** Codes of one kind, and how many wrong ones are answered. */
export interface CodeKind {
  /** Begins the names of its counters. */
  readonly counter: string
  /** Of wrong codes, per owner and per address. */
  readonly rate: Rate
}

/** Five wrong user codes within ten minutes (RFC 8628 §5.1). */
export const USER_CODES: CodeKind = { counter: 'wrong-codes', rate: { burst: 5, perMinute: 0.5 } }

/** Twenty wrong codes of relays within ten minutes: a program may ask a few times too often for what it has read. */
export const RELAY_CODES: CodeKind = { counter: 'wrong-relay-codes', rate: { burst: 20, perMinute: 2 } }

interface TriedCode {
  /** Absent where the code is tried without a session. */
  readonly owner?: Address
  readonly requester: Requester
  readonly right: boolean
}

/**
 * Counts a code that was tried. A right one costs nothing, but is refused as any other once too many were wrong, so that
 * guessing on shows nothing. The code is looked up before: of many at once, a right one does not pass either.
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
