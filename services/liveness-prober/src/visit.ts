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
  /** Whether the visit's time is up: the origin is then given back, so that probes on demand need not wait longer. */
  isOver(): boolean
}

/** What ends a visit early: the origin asks for fewer requests, or the visit's time is up. */
export type EndedBy = 'rate_limited' | 'time' | undefined
