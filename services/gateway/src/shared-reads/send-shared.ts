import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../answers/errors.ts'
import { inOneWrite } from '../answers/one-write.ts'
import { chooseCoding } from './content-coding.ts'
import { isKnown } from './if-none-match.ts'
import { bytesOf, type KeptBody, Representations } from './representations.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The prepared bytes of public reads. */
    representations: Representations
  }
}

/** Below this a body and its head fit into one packet, coded or not. */
const WORTH_CODING_BYTES = 1024

/** What an answer says of its caller. A shared cache would show it to others (draft-ietf-httpapi-ratelimit-headers §6). */
const OF_ITS_CALLER = ['ratelimit', 'ratelimit-policy']

export const prepareSharedReads = (app: FastifyInstance): void => {
  app.decorate('representations', new Representations())
}

/**
 * Sends what is the same for everybody, as shared caches may keep it: with a strong tag, in the coding that its client
 * wants, or as 304 when the client has it. The status and its other headers are the caller's to set before.
 * @throws Refused not_acceptable when the client takes no coding there is
 */
export async function sendShared(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Uint8Array | KeptBody,
): Promise<FastifyReply> {
  const coding = chooseCoding(request.headers['accept-encoding'], bytesOf(body).byteLength >= WORTH_CODING_BYTES)
  if (!coding) throw new Refused({ refusal: 'not_acceptable', field: 'accept-encoding' })
  const { bytes, etag } = await reply.server.representations.of(body, coding)
  for (const name of OF_ITS_CALLER) reply.removeHeader(name)
  reply.header('etag', etag)
  variesByCoding(reply)
  if (isKnown(request.headers['if-none-match'], etag)) return notModified(request, reply, bytes)
  if (coding === 'identity') return reply.send(inOneWrite(bytes))
  return reply.header('content-encoding', coding).send(bytes)
}

/** Of the headers, what RFC 9110 §15.4.5 asks for; a HEAD says the length that a 200 would have (§8.6), or 0. */
function notModified({ method }: FastifyRequest, reply: FastifyReply, bytes: Uint8Array): FastifyReply {
  return reply
    .removeHeader('content-type')
    .code(304)
    .send(method === 'HEAD' ? bytes : undefined)
}

function variesByCoding(reply: FastifyReply): void {
  const others = reply.getHeader('vary')
  reply.header('vary', [others, 'Accept-Encoding'].filter(Boolean).join(', '))
}
