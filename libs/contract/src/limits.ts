import type { LimitClass } from './operation.ts'

/** A generic cell rate limit: `burst` requests at once, refilled evenly at `perMinute`. */
export interface RateLimit {
  readonly burst: number
  readonly perMinute: number
  /** While the counters are unavailable, reads fail open; what costs money or grants access fails closed. */
  readonly fails: 'open' | 'closed'
}

/**
 * The default rates of the limit classes, per caller: the credential's owner where known, else the address. An owner's
 * sessions count apart from the other credentials. All callers of one network (an IPv4 /24, an IPv6 /48) share four
 * times the rate of `probe`, `recheck`, `nonce`, `signIn`, `link`, `relay`, `onramp` and `report`.
 */
export const LIMITS: Readonly<Record<LimitClass, RateLimit>> = {
  read: { burst: 200, perMinute: 1200, fails: 'open' },
  nonce: { burst: 60, perMinute: 120, fails: 'closed' },
  signIn: { burst: 30, perMinute: 60, fails: 'closed' },
  manage: { burst: 60, perMinute: 120, fails: 'open' },
  probe: { burst: 20, perMinute: 30, fails: 'closed' },
  recheck: { burst: 5, perMinute: 6, fails: 'closed' },
  facilitator: { burst: 200, perMinute: 3000, fails: 'open' },
  link: { burst: 60, perMinute: 120, fails: 'closed' },
  token: { burst: 1_000, perMinute: 20_000, fails: 'closed' },
  relay: { burst: 30, perMinute: 6, fails: 'closed' },
  transfer: { burst: 40, perMinute: 30, fails: 'closed' },
  onramp: { burst: 5, perMinute: 6, fails: 'closed' },
  report: { burst: 20, perMinute: 0.1, fails: 'closed' },
  model: { burst: 600, perMinute: 6_000, fails: 'open' },
  payment: { burst: 100, perMinute: 600, fails: 'open' },
}
