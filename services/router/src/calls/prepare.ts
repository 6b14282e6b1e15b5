import { type Refusal, refuse, unixSeconds } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { type AnthropicAsked, type AnthropicHeaders, anthropicHeaders } from '../domain/asked/anthropic-headers.ts'
import { mostEmbedded } from '../domain/asked/embeddings-bound.ts'
import { boundsOfCall, type CallBounds } from '../domain/call-bounds.ts'
import type { ModelEntry } from '../domain/model.ts'
import { rateHeaders } from '../domain/rate-headers.ts'
import { type ModelRequest, readRequest } from '../domain/request.ts'
import type { Surface } from '../domain/surface.ts'
import { unknownModel } from '../models/unknown-model.ts'
import { keyByHash } from '../store/key.repository.ts'
import { Untranslatable } from '../translate/untranslatable.ts'
import { routesFor, type UpstreamRoute } from '../translate/upstream-routes.ts'
import type { CallRefusal } from './call.ts'
import { limitCall, limitRequests } from './key-rates.ts'
import type { Payer } from './payer.ts'

/** A request, the model it asks for, and the bounds of its cost. */
export interface ReadCall {
  readonly surface: Surface
  readonly request: ModelRequest
  readonly body: Readonly<Record<string, unknown>>
  readonly model: ModelEntry
  readonly bounds: CallBounds
  /** The upstreams that can be asked, in order. */
  readonly candidates: readonly UpstreamRoute[]
  /** For upstreams that receive the request untranslated. */
  readonly api: AnthropicHeaders
}

/** A call that may be held: it is valid, and its rates have been taken. */
export interface PreparedCall extends ReadCall {
  readonly payer: Payer
  /** Headers about the key, sent with every answer. */
  readonly headers: Readonly<Record<string, string>>
}

export interface AskedCall {
  readonly surface: Surface
  readonly body: Readonly<Record<string, unknown>>
  readonly api?: AnthropicAsked
}

/** Reads and checks a request. */
export function readCall(
  { resources, clock }: Pick<RouterContext, 'resources' | 'clock'>,
  { surface, body, api = {} }: AskedCall,
): ReadCall | Refusal<'invalid_request' | 'model_not_found'> {
  const read = readRequest(surface, body)
  if (!read.ok) return refuse('invalid_request', { field: read.field, message: `${read.field}: ${read.message}` })
  const { request } = read
  const models = resources.models.current
  const model = models.find(request.model)
  if (!model?.capabilities.includes(surface)) return unknownModel(models, request.model, surface)
  const base64 = model.upstreams.every(({ upstream }) => models.upstreamOf(upstream).base64)
  const most = surface === 'embeddings' ? mostEmbedded(body, model, base64) : undefined
  if (most !== undefined && request.texts > most) {
    const least = base64 ? '; base64 takes the least' : ''
    const message = `input: must have at most ${most} entries, for an answer of at most 32 MiB${least}`
    return refuse('invalid_request', { field: 'input', message })
  }
  const candidates = routesFor(models, model, { surface, body, created: unixSeconds(clock.now()) })
  if (candidates instanceof Untranslatable) {
    const { field, message } = candidates
    return refuse('invalid_request', { field, message: `${field}: ${message}` })
  }
  const bounds = boundsOfCall(surface, request, model, Buffer.byteLength(JSON.stringify(body)))
  return { surface, request, body, model, bounds, candidates, api: anthropicHeaders(api, model) }
}

/** Takes the call from its payer's rates. */
export async function prepare(ctx: RouterContext, call: ReadCall, payer: Payer): Promise<PreparedCall | CallRefusal> {
  const { rates, refusal } = await limitCall(ctx, payer.rateHash, call.bounds.expectedTokens)
  const headers = {
    ...(rates ? rateHeaders(call.surface, rates, ctx.clock.now()) : {}),
    ...(call.api.dropped.length > 0 ? { 'x-callboard-dropped-betas': call.api.dropped.join(', ') } : {}),
  }
  return refusal ? { ...refusal, headers } : { ...call, payer, headers }
}

/** Refuses an invalid call: it counts as a request, and only known keys learn what is wrong with it. */
export async function refuseUnfit<Code extends string>(ctx: RouterContext, refusal: Refusal<Code>, payer: Payer) {
  const isKnown = payer.wallet !== undefined || (await keyByHash(ctx.db, payer.keyHash)) !== undefined
  return isKnown ? ((await limitRequests(ctx, payer.rateHash)) ?? refusal) : refuse('unauthorized')
}
