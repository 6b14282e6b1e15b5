import { LIMITS, type LimitClass, type RateLimit } from '@callboard/contract'
import type { RateVerdict } from '@callboard/store'
import { subscriberOf } from '@callboard/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from './errors.ts'
import type { GatewayKit, Hook } from './kit.ts'

/** How often an address may present a credential that is worth nothing. */
const FAILURES: RateLimit = { burst: 30, perMinute: 30, whenBlind: 'open' }

const rateOf = (name: LimitClass, kit: GatewayKit): RateLimit => ({
  ...LIMITS[name],
  ...kit.config.RATE_LIMITS?.[name],
})

export const limitByAddress: Hook = (request, reply, route, kit) => limitAddress(route.http.limit, request, reply, kit)

/** Takes one request of a limit class from what is left to whoever asks. @throws Refused rate_limited */
export const limitAddress = (name: LimitClass, request: FastifyRequest, reply: FastifyReply, kit: GatewayKit) =>
  limit(name, subscriberOf(request.ip), reply, kit)

export const limitByCaller: Hook = (request, reply, route, kit) => {
  const { caller } = request.state
  return limit(route.http.limit, caller.kind === 'anonymous' ? subscriberOf(request.ip) : caller.owner, reply, kit)
}

/** Slows down whoever guesses credentials. */
export async function limitFailures(request: FastifyRequest, kit: GatewayKit): Promise<void> {
  const verdict = await kit.counters.take(`rate:failures:${subscriberOf(request.ip)}`, FAILURES).catch(() => undefined)
  if (verdict && !verdict.allowed) throw tooMany(verdict)
}

async function limit(name: LimitClass, who: string, reply: FastifyReply, kit: GatewayKit): Promise<void> {
  const rate = rateOf(name, kit)
  let verdict: RateVerdict
  try {
    verdict = await kit.counters.take(`rate:${name}:${who}`, rate)
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
