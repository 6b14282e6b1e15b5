import { LIMITS, type RateLimit } from '@callboard/contract'
import type { RateVerdict } from '@callboard/store'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from './errors.ts'
import type { GatewayKit, Hook, Route } from './kit.ts'

/** How often an address may present a credential that is worth nothing. */
const FAILURES: RateLimit = { burst: 30, perMinute: 30, whenBlind: 'open' }

const rateOf = (route: Route, kit: GatewayKit): RateLimit => ({
  ...LIMITS[route.http.limit],
  ...kit.config.RATE_LIMITS?.[route.http.limit],
})

export const limitByAddress: Hook = (request, reply, route, kit) =>
  limit(`${route.http.limit}:${request.ip}`, rateOf(route, kit), reply, route.http.limit, kit)

export const limitByCaller: Hook = (request, reply, route, kit) => {
  const { caller } = request.state
  const who = caller.kind === 'anonymous' ? request.ip : caller.owner
  return limit(`${route.http.limit}:${who}`, rateOf(route, kit), reply, route.http.limit, kit)
}

/** Slows down whoever guesses credentials. */
export async function limitFailures(request: FastifyRequest, kit: GatewayKit): Promise<void> {
  const verdict = await kit.counters.take(`rate:failures:${request.ip}`, FAILURES).catch(() => undefined)
  if (verdict && !verdict.allowed) throw tooMany(verdict)
}

async function limit(key: string, rate: RateLimit, reply: FastifyReply, name: string, kit: GatewayKit): Promise<void> {
  let verdict: RateVerdict
  try {
    verdict = await kit.counters.take(`rate:${key}`, rate)
  } catch (error) {
    kit.log.warn({ err: error }, 'the counters are away')
    if (rate.whenBlind === 'open') return
    throw new Refused({ refusal: 'temporarily_unavailable', retryAfterSeconds: 2 })
  }
  // draft-ietf-httpapi-ratelimit-headers: the policy, then what is left of it.
  reply.header('ratelimit-policy', `"${name}";q=${rate.burst};w=${Math.ceil((rate.burst * 60) / rate.perMinute)}`)
  reply.header('ratelimit', `"${name}";r=${verdict.remaining};t=${verdict.resetSeconds}`)
  if (!verdict.allowed) throw tooMany(verdict)
}

const tooMany = (verdict: RateVerdict) =>
  new Refused({ refusal: 'rate_limited', retryAfterSeconds: verdict.retryAfterSeconds })
