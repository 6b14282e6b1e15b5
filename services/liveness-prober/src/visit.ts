import type { RateLimits } from './domain/rate-limits.ts'
import type { GuardedOrigin } from './guarded-fetch/index.ts'
import type { Lease } from './store/origin.repository.ts'
import type { UnsolicitedCalls } from './unsolicited-calls.ts'

/** One visit to a leased origin: its connection, its pace, and what ends it early. */
export interface Visit {
  readonly lease: Lease
  readonly origin: GuardedOrigin
  readonly limits: RateLimits
  readonly unsolicited: UnsolicitedCalls
  readonly signal: AbortSignal
  /** Whether the visit has had its time: the origin is given back, so that a probe that is asked for need not wait for all of it. */
  isOver(): boolean
}

/** What ends a visit with something left: the origin asks for fewer requests, or the visit has had its time. */
export type EndedBy = 'rate_limited' | 'time' | undefined
