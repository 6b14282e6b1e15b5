import { hasMoreValues } from '@callboard/x402'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyReply } from 'fastify'
import { Refused } from '../answers/errors.ts'
import type { Exchange } from '../tools/call-tool.ts'
import { serverFor } from './server.ts'

/** Members, objects and lists of a message: the SDK copies it several times, and a tool takes a few dozen. */
const MOST_VALUES = 10_000

/** Has the SDK answer one message. It gets no credential: the caller is known. */
export async function answerMcp(exchange: Exchange): Promise<FastifyReply> {
  const { request, reply, ctx } = exchange
  const { body, headers } = request
  if (Array.isArray(body)) throw unfit('must be one JSON-RPC message')
  if (hasMoreValues(request.state.rawBody ?? Buffer.alloc(0), MOST_VALUES))
    throw unfit(`has more than ${MOST_VALUES} members, objects and lists`)
  // Nothing is ever sent unasked, so there is nothing to subscribe to.
  const handler = createMcpHandler(() => serverFor(exchange), {
    maxSubscriptions: 0,
    keepAliveMs: 0,
    onerror: (err) => request.log.debug({ err }, 'an MCP message was refused'),
  })
  const asked = new Request(new URL(request.url, ctx.config.BASE_URL), {
    method: 'POST',
    headers: Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && name !== 'authorization' ? [[name, value] as [string, string]] : [],
    ),
  })
  const answered = await handler.fetch(asked, { parsedBody: body ?? '' })
  reply.code(answered.status).header('cache-control', 'no-store')
  const mediaType = answered.headers.get('content-type')
  if (mediaType !== null) reply.type(mediaType)
  return reply.send(await answered.text())
}

const unfit = (reason: string): Refused =>
  new Refused({ refusal: 'invalid_request', field: 'body', message: `body: ${reason}` })
