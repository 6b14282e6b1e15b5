import { randomUUID } from 'node:crypto'
import { MINUTE_MS, refuse } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { dayOf, resetsAt } from '../domain/day.ts'
import { affordableOutput, holdFor, inputBound } from '../domain/estimate.ts'
import type { ModelEntry } from '../domain/model.ts'
import { priceOf } from '../domain/price.ts'
import { type ModelRequest, readRequest } from '../domain/request.ts'
import type { Surface } from '../domain/surface.ts'
import { usdText } from '../domain/usd.ts'
import { hashSecret } from '../keys/credential.ts'
import { computeLimit } from '../spending.ts'
import { affordable, hold, underWay } from '../store/hold.repository.ts'
import type { HeldCall } from './call.ts'
import { correctTokens, limitRequests, limitTokens } from './key-rates.ts'

/** Longer than any call is worked on; a hold that is older belongs to a process that died. */
const HOLD_MS = 11 * MINUTE_MS

/** Bytes of a token in prose, so that a rate is not spent on what nobody says. */
const BYTES_PER_TOKEN = 4

/** A call as its client made it. */
export interface Asked {
  readonly surface: Surface
  readonly routerKey: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Says whether a call may be made, and holds the most that it can cost: nothing is asked of an upstream before. */
export async function admit(ctx: RouterContext, { surface, routerKey, body }: Asked) {
  const { config, clock, db, resources } = ctx
  const keyHash = hashSecret(routerKey)
  const now = clock.now()
  const ownerLimit = computeLimit(ctx)
  const means = await affordable(db, keyHash, ownerLimit, dayOf(now))
  if (!means) return refuse('unauthorized')
  const limited = await limitRequests(ctx, means.key.id)
  if (limited) return limited
  if ((await underWay(db, means.key.id, new Date(now))) >= config.ROUTER_CONCURRENCY) {
    const message = `The key has ${config.ROUTER_CONCURRENCY} calls under way, as many as it may.`
    return refuse('rate_limited', { message, retryAfterSeconds: 1 })
  }
  const read = readRequest(surface, body)
  if (!read.ok) return refuse('invalid_request', { field: read.field, message: `${read.field}: ${read.message}` })
  const { request } = read
  const model = resources.models.current.find(request.model)
  if (!model?.capabilities.includes(surface)) return refuse('model_not_found', { field: 'model' })

  const bounds = boundsOf(surface, request, model, { bytes: Buffer.byteLength(JSON.stringify(body)), left: means.left })
  const keyId = means.key.id
  const tooMany = await limitTokens(ctx, keyId, bounds.expectedTokens)
  if (tooMany) return tooMany
  const id = randomUUID()
  const held = await hold(db, {
    ...{ callId: id, keyHash, amount: bounds.held, ownerLimit, model: model.id, surface },
    priceVersion: model.price.version,
    now: new Date(now),
    expiresAt: new Date(now + HOLD_MS),
  })
  if (held.kind !== 'held') await correctTokens(ctx, keyId, { expected: bounds.expectedTokens, used: 0 })
  switch (held.kind) {
    case 'no_key':
      return refuse('unauthorized')
    case 'refused': {
      const { limit, left, inFlight } = held
      return exhausted({ limit, left, isTransient: left + inFlight >= bounds.held, now })
    }
    case 'held': {
      const call: HeldCall = { id, keyId, surface, request, ...bounds }
      return { call, model }
    }
  }
}

/** What a call can come to at most. */
function boundsOf(
  surface: Surface,
  request: ModelRequest,
  model: ModelEntry,
  { bytes, left }: { bytes: number; left: bigint },
) {
  const price = priceOf(model.price)
  const { choices, images } = request
  const inputTokens = inputBound(bytes, images, model)
  const most =
    request.maxOutput === undefined ? model.maxOutputTokens : Math.min(request.maxOutput, model.maxOutputTokens)
  const isAnswered = surface !== 'embeddings'
  const fits = affordableOutput(left, { inputTokens, choices, images }, price, most)
  const isAsked = request.maxOutput !== undefined
  // Who asked for a length gets it or is refused; who asked for none gets what the balance affords, or is refused one token.
  const maxOutput = !isAnswered ? 0 : isAsked ? most : Math.max(1, Math.min(most, fits))
  const held = holdFor({ inputTokens, maxOutput, choices, images }, price)
  const expectedTokens = Math.ceil(inputTokens / BYTES_PER_TOKEN) + maxOutput * choices
  return { price, inputTokens, maxOutput, held, expectedTokens, capped: isAnswered && !isAsked && maxOutput < most }
}

const LEVELS = { owner: 'owner', link: 'agent', key: 'key', balance: 'balance' } as const

interface Exhausted {
  readonly limit: keyof typeof LEVELS
  readonly left: bigint
  /** Whether it would fit if other calls had ended. */
  readonly isTransient: boolean
  readonly now: number
}

/** Money comes back at midnight or is bought: only what other calls hold is worth waiting for. */
function exhausted({ limit, left, isTransient, now }: Exhausted) {
  return refuse('insufficient_quota', {
    message: `The ${LEVELS[limit]} limit has ${usdText(left)} USD left, which does not cover this call.`,
    details: {
      limit: LEVELS[limit],
      remainingUsd: usdText(left),
      resetsAt: limit === 'balance' ? null : resetsAt(now),
    },
    ...(isTransient ? { retryAfterSeconds: 1 } : {}),
  })
}
