import type { LimitClass } from './operation.ts'

/** A generic cell rate limit: `burst` requests at once, refilled evenly at `perMinute`. */
export interface RateLimit {
  readonly burst: number
  readonly perMinute: number
  /** While the counters are unavailable, reads fail open; what costs money or grants access fails closed. */
  readonly fails: 'open' | 'closed'
  /**
   * Set for what costs more than an answer: all callers of one network (an IPv4 /24, an IPv6 /48) share four times the
   * rate, since owners cost nothing, and neither do more addresses of one network.
   */
  readonly sharedByNetwork?: true
}

/**
 * The default rates of the limit classes, per caller: the credential's owner where known, else the address. An owner's
 * sessions count apart from the other credentials. Of those that a network shares, probes and rechecks call third
 * parties for seconds; a sign-in or a claim may have a contract run on a chain, and a sign-in leaves an account; what
 * is published is handled by every consumer, and stays in the event log; requests to link, clients, keys and relays
 * stay in tables, and nonces in the counters; onramp sessions and support reports use up the day's number of all
 * callers.
 */
export const LIMITS: Readonly<Record<LimitClass, RateLimit>> = {
  read: { burst: 200, perMinute: 1200, fails: 'open' },
  nonce: { burst: 60, perMinute: 120, fails: 'closed', sharedByNetwork: true },
  signIn: { burst: 30, perMinute: 60, fails: 'closed', sharedByNetwork: true },
  manage: { burst: 60, perMinute: 120, fails: 'open' },
  publish: { burst: 120, perMinute: 2, fails: 'open', sharedByNetwork: true },
  probe: { burst: 20, perMinute: 30, fails: 'closed', sharedByNetwork: true },
  recheck: { burst: 5, perMinute: 6, fails: 'closed', sharedByNetwork: true },
  facilitator: { burst: 200, perMinute: 3000, fails: 'open' },
  link: { burst: 60, perMinute: 120, fails: 'closed', sharedByNetwork: true },
  token: { burst: 1_000, perMinute: 20_000, fails: 'closed' },
  relay: { burst: 30, perMinute: 6, fails: 'closed', sharedByNetwork: true },
  transfer: { burst: 40, perMinute: 30, fails: 'closed' },
  onramp: { burst: 5, perMinute: 6, fails: 'closed', sharedByNetwork: true },
  report: { burst: 20, perMinute: 0.1, fails: 'closed', sharedByNetwork: true },
  model: { burst: 600, perMinute: 6_000, fails: 'open' },
  payment: { burst: 100, perMinute: 600, fails: 'open' },
}
