import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendShared } from '../shared-reads/send-shared.ts'

/** The parts of a signed output that leave in the head of the answer. */
export interface SignatureParts {
  readonly contentDigest: string
  readonly signatureInput: string
  readonly signature: string
}

/**
 * Sends a body that its service signed. Its digest is of the JSON as the service wrote it, which is so small that it goes out
 * uncoded.
 */
export function sendSigned(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentDigest, signatureInput, signature }: SignatureParts,
  body: object,
): Promise<FastifyReply> {
  reply.headers({ 'content-digest': contentDigest, 'signature-input': signatureInput, signature })
  return sendShared(request, reply, Buffer.from(JSON.stringify(body)))
}
