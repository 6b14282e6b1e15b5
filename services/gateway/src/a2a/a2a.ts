import { a2aEndpoint, operation, SendMessageParams } from '@callboard/contract'
import { SECOND_MS } from '@callboard/values'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refusalOf } from '../answers/errors.ts'
import type { GatewayContext, Route } from '../context.ts'
import { stepsOf } from '../hooks/hooks.ts'
import { answerA2a, sendOutcome } from './answer.ts'
import { unread } from './protocol-errors.ts'

const endpointFor = (auth: 'none' | 'bearer'): Route =>
  operation({
    id: a2aEndpoint.id,
    summary: a2aEndpoint.summary,
    timeoutMs: 60 * SECOND_MS,
    http: { method: a2aEndpoint.method, path: a2aEndpoint.path, auth, limit: 'read', ok: 200 },
    input: SendMessageParams,
    output: z.unknown(),
    errors: [],
  })

/** The endpoint as the hooks know routes. It is no operation: each of its skills is one. */
const ENDPOINT = endpointFor('bearer')
const STEPS = { bearer: stepsOf(ENDPOINT), none: stepsOf(endpointFor('none')) }

/**
 * Serves the agent-to-agent server: A2A 1.0 over JSON-RPC, without tasks, so that any replica answers any message
 * (docs/adr/0150). A message with a bad credential is refused: taken as anonymous, its agent would act as somebody else
 * than it thinks.
 */
export function addA2a(app: FastifyInstance, ctx: GatewayContext): void {
  app.post(
    ENDPOINT.http.path,
    {
      config: { route: ENDPOINT },
      onRequest: (request, reply) =>
        STEPS[request.headers.authorization === undefined ? 'none' : 'bearer'](request, reply, ctx),
      errorHandler: presentUnread,
    },
    (request, reply) => answerA2a({ request, reply, ctx }, ENDPOINT),
  )
}

/** A body that is not JSON is an error of the protocol; everything else is presented as on every route. */
function presentUnread(error: Error, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { refusal, field, message } = refusalOf(error) ?? {}
  if (refusal !== 'invalid_request' || field !== 'body') throw error
  return sendOutcome(reply.code(ENDPOINT.http.ok), null, unread(message))
}
