/** A generic cell rate limit: `burst` at once, refilled evenly at `perMinute`. */
export interface Rate {
  readonly burst: number
  readonly perMinute: number
}

export interface RateVerdict {
  readonly allowed: boolean
  readonly limit: number
  /** How many more would be allowed right now. */
  readonly remaining: number
  /** Seconds until the whole burst is available again. */
  readonly resetSeconds: number
  /** Seconds until one more is allowed; 0 when allowed. */
  readonly retryAfterSeconds: number
}

/** The memory use of the counters' server. */
export interface CounterMemory {
  readonly usedBytes: number
  /** 0: limited only by the machine. */
  readonly limitBytes: number
  /** Keys evicted for lack of memory since its start. */
  readonly evictedKeys: number
}

/**
 * Short-lived shared state: rates, one-time values, numbers that only rise. Losing all of it costs no more than asking
 * again; what must last is in Postgres. Every call may throw when the store is unavailable.
 */
export interface Counters {
  /** Takes from a rate (GCRA): one, or all or none of `cost`. A negative number returns an excess taken before. */
  take(key: string, rate: Rate, cost?: number): Promise<RateVerdict>
  /** Returns what `take` would, without taking. */
  peek(key: string, rate: Rate): Promise<RateVerdict>
  /** Stores a value unless the key holds one. @returns whether it was stored */
  putOnce(key: string, value: string, ttlMs: number): Promise<boolean>
  /** Reads and removes in one step: only one of two callers gets the value. */
  getAndDelete(key: string): Promise<string | undefined>
  /** A number set by `raise`; undefined when absent. */
  number(key: string): Promise<number | undefined>
  /** Sets a number unless the key holds a greater one. @returns the number now stored */
  raise(key: string, value: number, ttlMs: number): Promise<number>
  /** Checks that the store answers, and takes what it is given. */
  ping(): Promise<void>
  /** What the store's server holds; undefined where the counters belong to this process. */
  memory(): Promise<CounterMemory | undefined>
  /** How often the store was lost so far. Numbers that others raised before or during a loss may be missing after. */
  losses(): number
  close(): Promise<void>
}

/**
 * The arithmetic of GCRA, all in milliseconds. `arrival` is the theoretical arrival time kept per key. One that is
 * farther ahead than a whole burst comes from a clock that has been set back since, or from a larger rate: it counts as
 * a whole burst, so that nobody has to wait until the clock is again where it was.
 */
export function gcra(
  rate: Rate,
  now: number,
  arrival: number | undefined,
  cost = 1,
): { verdict: RateVerdict; arrival: number } {
  const interval = 60_000 / rate.perMinute
  const tolerance = interval * rate.burst
  const base = Math.min(Math.max(arrival ?? now, now), now + tolerance)
  const next = Math.max(base + interval * cost, now)
  const allowed = next - now <= tolerance + 1e-6
  const kept = allowed ? next : base
  const remaining = Math.max(0, Math.floor((tolerance - (kept - now)) / interval + 1e-9))
  return {
    arrival: kept,
    verdict: {
      allowed,
      limit: rate.burst,
      remaining,
      resetSeconds: Math.ceil((kept - now) / 1000),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((next - now - tolerance) / 1000)),
    },
  }
}

/** A take, and the units that were taken ahead with it. */
export interface Taken {
  readonly verdict: RateVerdict
  readonly ahead: number
  /** How far the key's arrival time is ahead of now, in milliseconds. */
  readonly lead: number
}

/** GCRA of a take that asks for further units ahead: they are taken where at least half of the burst stays. */
export function gcraAhead(
  rate: Rate,
  now: number,
  arrival: number | undefined,
  { cost, ahead }: { readonly cost: number; readonly ahead: number },
): Taken {
  const { verdict, arrival: kept } = gcra(rate, now, arrival, cost)
  const interval = 60_000 / rate.perMinute
  const further = kept + interval * ahead
  const isGiven = verdict.allowed && further - now <= (interval * rate.burst) / 2 + 1e-6
  return isGiven ? { verdict, ahead, lead: further - now } : { verdict, ahead: 0, lead: kept - now }
}
