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

/** A body of so many bytes is sent with its head, in one write, once it has come whole; a longer one as it comes. */
const SHORT_BODY_BYTES = 64 * 1024
/** None: a part is asked for when the one before it was written to the client, so that only then it counts as come. */
const READ_AHEAD_BYTES = 1

type Parts = AsyncGenerator<router.AnswerPart, Refusal | undefined>

/**
 * Answers with what an operation gives in parts, as they come: the head first, then the text; a short body whose length is
 * known ahead goes with its head. A client that goes away ends the work, before the first part too; a slow one holds it back. When the work breaks after the head was sent, so does the
 * connection: nothing that was cut off looks whole.
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
