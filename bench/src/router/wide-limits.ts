import { LIMITS } from '@callboard/contract'

const wide = { burst: 10_000_000, perMinute: 600_000_000 }

/** Settings of the Router under load: every limit is on, but too wide to end the load. */
export const WIDE_LIMITS = {
  RATE_LIMITS: JSON.stringify(Object.fromEntries(Object.keys(LIMITS).map((name) => [name, wide]))),
  ROUTER_REQUESTS_PER_MINUTE: '1000000',
  ROUTER_TOKENS_PER_MINUTE: '1000000000',
  ROUTER_CONCURRENCY: '10000',
}
