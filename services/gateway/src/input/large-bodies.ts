import { Readable } from 'node:stream'
import { BusFault } from '@callboard/bus'
import { router } from '@callboard/contract'
import { isRefusal, networkOf } from '@callboard/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../answers/errors.ts'
import type { GatewayContext, Hook, Route } from '../context.ts'

/** A body up to this length is read from anyone: it fits into one message of the bus and uses little memory. */
const SMALL_BODY_BYTES = 900 * 1024

/** Admits a large body before it is read, if its length is declared. The parser refuses one above the route's limit. */
export const admitLargeBody: Hook = (request, reply, route, ctx) => {
  const bytes = Number(request.headers['content-length'])
  const isLarge = bytes > SMALL_BODY_BYTES && bytes <= (route.maxRequestBytes ?? 0)
  return isLarge ? admit(bytes, { request, reply, ctx }) : undefined
}

/** The body of a request that may be large: without a declared length, it is admitted once it turns out to be large. */
export function bodyOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { payload, route, ctx }: { readonly payload: Readable; readonly route: Route; readonly ctx: GatewayContext },
): Readable {
  const { maxRequestBytes } = route
  if (maxRequestBytes === undefined || request.headers['content-length'] !== undefined) return payload
  async function* read() {
    let bytes = 0
    let isAdmitted = false
    // Keeps the connection, so that a refused client can read the answer.
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length
      if (bytes > SMALL_BODY_BYTES && !isAdmitted) {
        isAdmitted = true
        await admit(maxRequestBytes ?? 0, { request, reply, ctx })
      }
      yield chunk
    }
  }
  return Readable.from(read(), { objectMode: false })
}

interface Asking {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly ctx: GatewayContext
}

/** @throws Refused unauthorized for a key unknown to the Router; temporarily_unavailable while others hold too much */
async function admit(bytes: number, { request, reply, ctx }: Asking): Promise<void> {
  const { routerKey } = request.state
  const release = ctx.resources.largeBodies.take({
    bytes,
    hasKey: routerKey !== undefined,
    network: networkOf(request.ip),
  })
  if (!release) throw busy('This service is already handling as many large requests as it can.')
  if (reply.raw.closed) release()
  else reply.raw.once('close', release)
  if (routerKey !== undefined) await requireKnown(routerKey, ctx)
}

/** Nothing has been done by then, so if the Router takes too long, the client may retry. */
async function requireKnown(routerKey: string, ctx: GatewayContext): Promise<void> {
  const known = await ctx.call(router.keyStatus, { routerKey }).catch((error: unknown) => {
    throw error instanceof BusFault && error.kind === 'deadline' ? busy('The Router is busy.') : error
  })
  if (isRefusal(known)) throw new Refused(known)
}

const busy = (message: string): Refused =>
  new Refused({ refusal: 'temporarily_unavailable', message, retryAfterSeconds: 2 })
