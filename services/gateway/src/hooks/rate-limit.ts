import { createHash } from 'node:crypto'
import { LIMITS, type LimitClass, type RateLimit } from '@callboard/contract'
import type { RateVerdict } from '@callboard/store'
import { networkOf, subscriberOf } from '@callboard/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../answers/errors.ts'
import type { GatewayContext, Hook } from '../context.ts'
import { GUESSES } from '../telemetry/meters.ts'

/** Unknown credentials with one prefix from one network: an attacker knows at most the part that owners are shown. */
const GUESSES_OF_PREFIX: RateLimit = { burst: 30, perMinute: 30, fails: 'open' }
/** Unknown credentials with any prefix from one address, since prefixes cost nothing. Clients behind a NAT share it. */
const GUESSES_OF_ADDRESS: RateLimit = { burst: 600, perMinute: 600, fails: 'open' }
/** The part of a credential that its owner's list of keys shows. */
const PREFIX_CHARACTERS = 12
/** How many callers' rates of a class that it shares a network may use up. */
const CALLERS_OF_NETWORK = 4

const rateOf = (name: LimitClass, ctx: GatewayContext): RateLimit => ({
  ...LIMITS[name],
  ...ctx.config.RATE_LIMITS?.[name],
})

export const limitByAddress: Hook = (request, reply, route, ctx) => limitAddress(route.http.limit, request, reply, ctx)

/** Takes one request of a limit class from its caller's allowance. @throws Refused rate_limited */
export async function limitAddress(
  name: LimitClass,
  request: FastifyRequest,
  reply: FastifyReply,
  ctx: GatewayContext,
): Promise<void> {
  await limit(name, subscriberOf(request.ip), reply, ctx)
  await limitNetwork(name, request, ctx)
}

export const limitByCaller: Hook = async (request, reply, { http }, ctx) => {
  await limit(http.limit, countedAs(request), reply, ctx)
  await limitNetwork(http.limit, request, ctx)
}

/** Takes a request from the allowance of another class too, if what it asks for costs as much as that class. */
export const limitByInput =
  (input: unknown): Hook =>
  async (request, reply, { http: { alsoLimit } }, ctx) => {
    if (!alsoLimit || (input as Readonly<Record<string, unknown>>)[alsoLimit.field] !== alsoLimit.is) return
    await limit(alsoLimit.limit, countedAs(request), reply, ctx)
    await limitNetwork(alsoLimit.limit, request, ctx)
  }

/**
 * Whose allowance a request takes from. What an owner gave to agents, programs and API keys shares one, and their
 * sessions have another: a credential that sends very many requests must not use up what ends it.
 */
function countedAs({ ip, state: { caller } }: FastifyRequest): string {
  if (caller.kind === 'anonymous') return subscriberOf(ip)
  return caller.kind === 'session' ? `sessions:${caller.owner}` : caller.owner
}

/**
 * Counts the examination of an unknown credential.
 * @returns seconds until one may be examined; undefined if this one may be, as when the counters are unavailable
 */
export async function restOfGuesses(
  { ip }: FastifyRequest,
  credential: string,
  { counters, resources }: GatewayContext,
): Promise<number | undefined> {
  const prefix = createHash('sha256').update(credential.slice(0, PREFIX_CHARACTERS)).digest('base64url')
  try {
    const ofPrefix = await counters.take(`rate:guesses:${prefix}:${networkOf(ip)}`, GUESSES_OF_PREFIX)
    const verdict = ofPrefix.allowed
      ? await counters.take(`rate:guesses:${subscriberOf(ip)}`, GUESSES_OF_ADDRESS)
      : ofPrefix
    if (verdict.allowed) return undefined
    resources.meters.limitsRefused.inc({ class: GUESSES })
    return verdict.retryAfterSeconds
  } catch {
    return undefined
  }
}

async function limit(name: LimitClass, who: string, reply: FastifyReply, ctx: GatewayContext): Promise<void> {
  const rate = rateOf(name, ctx)
  const verdict = await taken(`rate:${name}:${who}`, rate, ctx)
  if (!verdict) return
  // draft-ietf-httpapi-ratelimit-headers: the policy, then what is left of it.
  addMember(reply, 'ratelimit-policy', `"${name}";q=${rate.burst};w=${Math.ceil((rate.burst * 60) / rate.perMinute)}`)
  addMember(reply, 'ratelimit', `"${name}";r=${verdict.remaining};t=${verdict.resetSeconds}`)
  if (verdict.allowed) return
  ctx.resources.meters.limitsRefused.inc({ class: name })
  throw tooMany(verdict)
}

/** Adds to a header that is a list. */
function addMember(reply: FastifyReply, name: string, member: string): void {
  const before = reply.getHeader(name)
  reply.header(name, before === undefined ? member : `${before}, ${member}`)
}

/** Limits some classes over all callers of one network. @throws Refused rate_limited */
async function limitNetwork(name: LimitClass, { ip }: FastifyRequest, ctx: GatewayContext): Promise<void> {
  if (!LIMITS[name].sharedByNetwork) return
  const { burst, perMinute, fails } = rateOf(name, ctx)
  const rate = { burst: burst * CALLERS_OF_NETWORK, perMinute: perMinute * CALLERS_OF_NETWORK, fails }
  const verdict = await taken(`rate:${name}:network:${networkOf(ip)}`, rate, ctx)
  if (!verdict || verdict.allowed) return
  ctx.resources.meters.limitsRefused.inc({ class: name })
  throw tooMany(verdict)
}

/** Takes one request. @returns undefined if the counters are unavailable and the class fails open */
async function taken(
  key: string,
  rate: RateLimit,
  { counters, log }: GatewayContext,
): Promise<RateVerdict | undefined> {
  try {
    return await counters.take(key, rate)
  } catch (error) {
    log.warn({ err: error }, 'the counters are unavailable')
    if (rate.fails === 'open') return undefined
    throw new Refused({ refusal: 'temporarily_unavailable', retryAfterSeconds: 2 })
  }
}

const tooMany = (verdict: RateVerdict) =>
  new Refused({ refusal: 'rate_limited', retryAfterSeconds: verdict.retryAfterSeconds })
