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
}
