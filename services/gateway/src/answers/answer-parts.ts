import { Readable } from 'node:stream'
import type { BusFault, CallMeta } from '@callboard/bus'
import type { router } from '@callboard/contract'
import { isRefusal, type Refusal } from '@callboard/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext, Route } from '../context.ts'
import type { GatewayMeters } from '../telemetry/meters.ts'
import { addHeaders } from './headers.ts'
import { presentRefusal } from './present.ts'
import { written } from './written.ts'

/** A body up to this length is sent with its head, in one write, once it is complete; a longer one is streamed. */
const SHORT_BODY_BYTES = 64 * 1024
/** No read-ahead: a part is requested when the previous one is written to the client, and only then is delivered. */
const READ_AHEAD_BYTES = 1

type Parts = AsyncGenerator<router.AnswerPart, Refusal | undefined>

/**
 * Answers with the parts that an operation yields, as they arrive: the head first, then the text; a short body of known
 * length is sent with its head. A client that goes away ends the work, even before the first part; a slow client slows
 * it down. If the work breaks after the head was sent, the connection breaks too, so that nothing truncated looks
 * complete.
 * @throws BusFault before the head is there
 */
export async function sendParts(
  request: FastifyRequest,
  reply: FastifyReply,
  { route, input, meta }: { route: Route; input: unknown; meta: CallMeta },
  { bus, resources }: GatewayContext,
): Promise<FastifyReply> {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  const passedOn = () => written(reply.raw)
  const parts = bus.stream(route, input, meta, { signal: gone.signal, passedOn }) as Parts
  const first = await parts.next()
  if (first.done) {
    if (isRefusal(first.value)) return presentRefusal(request, reply, first.value)
    throw new Error(`${route.id} answered without a head`)
  }
  if (!('status' in first.value)) throw new Error(`${route.id} answered with text before its head`)
  const { status, headers } = first.value
  const isShort = Number(headers['content-length']) <= SHORT_BODY_BYTES
  const body = isShort ? await wholeText(parts) : readableOf(parts)
  if (!isShort) countOpen(reply, resources.meters)
  reply.code(status).header('cache-control', 'no-store')
  if (route.http.surface === 'anthropic') reply.header('request-id', request.id)
  addHeaders(reply, headers)
  return reply.send(body)
}

function countOpen({ raw }: FastifyReply, { streamsOpen }: GatewayMeters): void {
  if (raw.closed) return
  streamsOpen.inc()
  raw.once('close', () => streamsOpen.dec())
}

const readableOf = (parts: Parts): Readable =>
  Readable.from(textOf(parts), { objectMode: false, highWaterMark: READ_AHEAD_BYTES })

/** @throws BusFault when the work breaks */
async function wholeText(parts: Parts): Promise<string> {
  let whole = ''
  for await (const part of parts) if ('text' in part) whole += part.text
  return whole
}

/** @throws BusFault when the work breaks */
async function* textOf(parts: Parts): AsyncGenerator<string, void, BusFault> {
  for await (const part of parts) if ('text' in part) yield part.text
}
