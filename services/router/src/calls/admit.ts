import { randomUUID } from 'node:crypto'
import { MINUTE_MS, type Refusal, refuse } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { boundsOfCall, longestFor } from '../domain/call-bounds.ts'
import type { ModelEntry } from '../domain/model.ts'
import { rateHeaders } from '../domain/rate-headers.ts'
import { type ModelRequest, readRequest } from '../domain/request.ts'
import type { Surface } from '../domain/surface.ts'
import { hashSecret } from '../keys/credential.ts'
import { computeLimit } from '../spending.ts'
import { hold } from '../store/hold.repository.ts'
import { keyByHash } from '../store/key.repository.ts'
import type { HeldCall } from './call.ts'
import { exhausted } from './exhausted.ts'
import { correctTokens, limitCall, limitRequests } from './key-rates.ts'

/** Longer than any call is worked on; a hold that is older belongs to a process that died. */
const HOLD_MS = 11 * MINUTE_MS

/** A call as its client made it. */
export interface Asked {
  readonly surface: Surface
  readonly routerKey: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Says whether a call may be made, and holds the most that it can cost: nothing is asked of an upstream before. */
export async function admit(ctx: RouterContext, asked: Asked) {
  const { config, clock, db } = ctx
  const { surface } = asked
  const keyHash = hashSecret(asked.routerKey)
  const read = readAsked(ctx, asked)
  if ('refusal' in read) {
    const isKnown = await keyByHash(db, keyHash)
    return isKnown ? ((await limitRequests(ctx, keyHash)) ?? read) : refuse('unauthorized')
  }
  const { request, model } = read
  const bounds = boundsOfCall(surface, request, model, Buffer.byteLength(JSON.stringify(asked.body)))
  const { price, inputTokens, least, most, expectedTokens } = bounds
  const { rates, refusal } = await limitCall(ctx, keyHash, expectedTokens)
  const now = clock.now()
  const headers = rates ? rateHeaders(surface, rates, now) : {}
  if (refusal) return { ...refusal, headers }
  const id = randomUUID()
  const held = await hold(db, {
    ...{ callId: id, keyHash, least, most, model: model.id, surface, priceVersion: price.version },
    ownerLimit: computeLimit(ctx),
    concurrency: config.ROUTER_CONCURRENCY,
    now: new Date(now),
    expiresAt: new Date(now + HOLD_MS),
  })
  if (held.kind !== 'held') await correctTokens(ctx, keyHash, { expected: expectedTokens, used: 0 })
  switch (held.kind) {
    case 'no_key':
      return refuse('unauthorized')
    case 'busy': {
      const message = `The key has ${config.ROUTER_CONCURRENCY} calls under way, as many as it may.`
      return refuse('rate_limited', { message, retryAfterSeconds: 1, headers })
    }
    case 'refused':
      return exhausted(held, least, now)
    case 'held': {
      const { amount, key } = held
      const maxOutput = longestFor(amount, bounds, request)
      const capped = maxOutput < bounds.longest
      const call: HeldCall = {
        ...{ id, keyId: key.id, keyHash, surface, request, price, inputTokens, expectedTokens, headers },
        ...{ maxOutput, capped, held: amount },
      }
      return { call, model }
    }
  }
}

/** What is asked, and of which model. */
function readAsked(
  { resources }: RouterContext,
  { surface, body }: Asked,
): Refusal<'invalid_request' | 'model_not_found'> | { readonly request: ModelRequest; readonly model: ModelEntry } {
  const read = readRequest(surface, body)
  if (!read.ok) return refuse('invalid_request', { field: read.field, message: `${read.field}: ${read.message}` })
  const { request } = read
  const model = resources.models.current.find(request.model)
  return model?.capabilities.includes(surface) ? { request, model } : refuse('model_not_found', { field: 'model' })
}
