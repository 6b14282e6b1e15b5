import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendShared } from '../shared-reads/send-shared.ts'

/** The parts of a signed output that are sent as headers. */
export interface SignatureParts {
  readonly contentDigest: string
  readonly signatureInput: string
  readonly signature: string
}

/**
 * Sends a body that its service signed. The digest is of the JSON as the service wrote it, which is small enough to be
 * sent uncompressed.
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
