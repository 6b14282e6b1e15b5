import { BusFault } from '@callboard/bus'
import { operations, type RefusalDeclaration, refusals } from '@callboard/contract'
import type { Refusal } from '@callboard/values'

const { edge } = refusals

/** A refusal on its way to the client, thrown by any hook. It has no stack, which would be costly in a flood. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(refusal.message ?? refusal.refusal)
    Error.stackTraceLimit = stackTraceLimit
    this.refusal = refusal
  }
}

/** Every code's declaration: one table for the whole edge, made from the contract. */
export const declarationOf: ReadonlyMap<string, RefusalDeclaration> = new Map(
  [...[...operations.values()].flatMap((op) => op.errors), ...Object.values(edge)].map((declared) => [
    declared.code,
    declared,
  ]),
)

const FASTIFY_CODES: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { refusal: 'payload_too_large', field: 'body', message: edge.payloadTooLarge.meaning },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    refusal: 'unsupported_media_type',
    field: 'content-type',
    message: edge.unsupportedMediaType.meaning,
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    refusal: 'invalid_request',
    field: 'body',
    message: 'The body is empty, but the route expects JSON.',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: { refusal: 'invalid_request', field: 'body', message: 'The body is not JSON.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    refusal: 'invalid_request',
    field: 'content-length',
    message: 'The length of the body is not what its Content-Length says.',
  },
  FST_ERR_BAD_URL: { refusal: 'invalid_request', field: 'path', message: 'The path is not a valid URL path.' },
  FST_ERR_MAX_PARAM_LENGTH: {
    refusal: 'invalid_request',
    field: 'path',
    message: 'A part of the path is longer than 256 characters.',
  },
}

/** Whether a body was refused before it was read. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'

const unavailable = (message: string): Refusal => ({
  refusal: 'temporarily_unavailable',
  message,
  retryAfterSeconds: 1,
})

/** The answer for a thrown error. Undefined for our own fault, answered as an internal error without details. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refused) return error.refusal
  if (error instanceof BusFault) return refusalOfFault(error)
  if (error instanceof SyntaxError && 'statusCode' in error && error.statusCode === 400) {
    return { refusal: 'invalid_request', field: 'body', message: 'The body is not JSON.' }
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return FASTIFY_CODES[code]
}

function refusalOfFault(fault: BusFault): Refusal | undefined {
  switch (fault.kind) {
    case 'no_responder':
    case 'disconnected':
      return unavailable('The service behind this route is unavailable.')
    case 'overloaded':
      return unavailable('The service behind this route is at its capacity.')
    case 'unavailable':
      return unavailable('A store or a service behind this route is unavailable.')
    case 'lost':
      return { refusal: 'deadline_exceeded', message: 'The service stopped answering. What it did is not known.' }
    case 'deadline':
    case 'cancelled':
      return { refusal: 'deadline_exceeded', message: edge.deadline.meaning }
    case 'reader_lost':
      return unavailable('The service behind this route lost the connection to the gateway.')
    case 'too_large':
      return { refusal: 'payload_too_large', field: 'body', message: edge.payloadTooLarge.meaning }
    case 'remote':
    case 'broken_stream':
      return undefined
  }
}
