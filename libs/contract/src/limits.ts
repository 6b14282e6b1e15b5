import type { LimitClass } from './operation.ts'

/** A generic cell rate: `burst` requests at once, refilled evenly at `perMinute`. */
export interface RateLimit {
  readonly burst: number
  readonly perMinute: number
  /** What happens when the counters are away: reads go on, what costs money or opens doors does not. */
  readonly whenBlind: 'open' | 'closed'
}

/** The default rates of the limit classes, per caller: the credential's owner where known, else the address. */
export const LIMITS: Readonly<Record<LimitClass, RateLimit>> = {
  read: { burst: 200, perMinute: 1200, whenBlind: 'open' },
  nonce: { burst: 60, perMinute: 120, whenBlind: 'closed' },
  signIn: { burst: 30, perMinute: 60, whenBlind: 'closed' },
  manage: { burst: 60, perMinute: 120, whenBlind: 'open' },
  probe: { burst: 20, perMinute: 30, whenBlind: 'closed' },
  recheck: { burst: 5, perMinute: 6, whenBlind: 'closed' },
  facilitator: { burst: 200, perMinute: 3000, whenBlind: 'open' },
  link: { burst: 60, perMinute: 120, whenBlind: 'closed' },
  token: { burst: 1_000, perMinute: 20_000, whenBlind: 'closed' },
  relay: { burst: 30, perMinute: 6, whenBlind: 'closed' },
  transfer: { burst: 40, perMinute: 30, whenBlind: 'closed' },
  payment: { burst: 100, perMinute: 600, whenBlind: 'open' },
}
