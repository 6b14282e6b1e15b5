import type { Caller, InputOf, Operation } from '@callboard/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../../answers/errors.ts'
import type { GatewayContext } from '../../context.ts'
import { callerOf } from '../../credentials/caller-of.ts'
import { sessionCookie } from '../../credentials/session-cookie.ts'
import { formToken, isFormToken } from './form-token.ts'

/** A signed-in owner. */
export type Owner = Extract<Caller, { kind: 'session' }>

/** A request of a signed-in owner, with what it takes to answer it. */
export interface OwnerRequest {
  readonly caller: Owner
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly ctx: GatewayContext
}

/**
 * The owner who is signed in; undefined if none is.
 * @throws Refused rate_limited if the session was not examined, which is not known to have ended
 */
export async function ownerOf(request: FastifyRequest, ctx: GatewayContext): Promise<Owner | undefined> {
  const caller = await callerOf(request, 'session', ctx)
  const { unexaminedFor } = request.state
  if (!caller && unexaminedFor !== undefined) {
    const message =
      'Too many unknown credentials came from your network, so your session was not checked. You may still be signed in.'
    throw new Refused({ refusal: 'rate_limited', message, retryAfterSeconds: unexaminedFor })
  }
  return caller?.kind === 'session' ? caller : undefined
}

/** The fields of a submitted form. */
export const formOf = (request: FastifyRequest): URLSearchParams =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams()

const sessionTokenOf = (request: FastifyRequest): string => sessionCookie.read(request) ?? ''

/** The token in a form about something, so that only the session that was shown the form can send it. */
export const formTokenOf = (request: FastifyRequest, about: string): string => formToken(sessionTokenOf(request), about)

/** Whether the form about something was shown to this session. */
export const isShownForm = (request: FastifyRequest, about: string): boolean =>
  isFormToken(formOf(request).get('csrf'), sessionTokenOf(request), about)

/** Calls an operation on the owner's behalf. */
export const callAs = <Op extends Operation>({ caller, request, ctx }: OwnerRequest, op: Op, input: InputOf<Op>) =>
  ctx.bus.call(op, input, { caller, requestId: request.id, timeoutMs: op.timeoutMs })
