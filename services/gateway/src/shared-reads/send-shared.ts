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

/** Below this, a body and its head fit into one packet, compressed or not. */
const WORTH_CODING_BYTES = 1024

/** Headers about the caller. A shared cache would show them to others (draft-ietf-httpapi-ratelimit-headers §6). */
const OF_ITS_CALLER = ['ratelimit', 'ratelimit-policy']

export const prepareSharedReads = (app: FastifyInstance): void => {
  app.decorate('representations', new Representations())
}

/**
 * Sends a body that is the same for everyone, so that shared caches may keep it: with a strong tag, in the coding that
 * its client prefers, or as 304 if the client has it. The caller sets the status and other headers beforehand.
 * @throws Refused not_acceptable if the client accepts no available coding
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

/** Sends only the headers that RFC 9110 §15.4.5 asks for; a HEAD has the length of a 200 (§8.6), or 0. */
export function notModified({ method }: FastifyRequest, reply: FastifyReply, bytes: Uint8Array): FastifyReply {
  return reply
    .removeHeader('content-type')
    .code(304)
    .send(method === 'HEAD' ? bytes : undefined)
}

function variesByCoding(reply: FastifyReply): void {
  const others = reply.getHeader('vary')
  reply.header('vary', [others, 'Accept-Encoding'].filter(Boolean).join(', '))
}
