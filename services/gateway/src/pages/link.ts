import { agents, type Caller, type InputOf, type Operation } from '@callboard/contract'
import { isRefusal, type Refusal } from '@callboard/values'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerOf } from '../caller-of.ts'
import { Refused } from '../errors.ts'
import type { GatewayKit } from '../kit.ts'
import { limit } from '../rate-limit.ts'
import { requesterOf } from '../requester.ts'
import { sameOriginOnWrite } from '../same-origin.ts'
import { sessionCookie } from '../session-cookie.ts'
import type { Page } from './document.ts'
import { formToken, isFormToken } from './form-token.ts'
import { verdictOf } from './link-form.ts'
import * as outcomes from './link-outcomes.ts'
import { linkPage } from './link-page.ts'
import { sendPage } from './send-page.ts'

const MAX_FORM_BYTES = 16 * 1024
const LONGEST_CODE = 64
/** When to try again, where the agents service does not say. */
const GUESSING_PAUSE_S = 600

/** The page at which an owner approves or denies an agent: `GET` shows who asks, `POST` decides. */
export function addLink(scope: FastifyInstance, kit: GatewayKit): void {
  scope.get('/link', { config: { ownerPage: true } }, async (request, reply) => {
    await limit('read', request.ip, reply, kit)
    const { user_code: asked } = request.query as Record<string, unknown>
    const userCode = typeof asked === 'string' && asked.length <= LONGEST_CODE ? asked : undefined
    const owner = await ownerOf(request, kit)
    if (!owner) return sendPage(reply, outcomes.signInPrompt(pathOf(userCode)))
    if (asked === undefined || asked === '') return sendPage(reply, outcomes.codeEntry)
    if (userCode === undefined) return sendPage(reply, outcomes.unusableCode(404))
    return sendPage(reply, await shown(request, kit, owner, userCode))
  })

  scope.post('/link', {
    bodyLimit: MAX_FORM_BYTES,
    config: { ownerPage: true },
    onRequest: async (request, reply) => {
      await limit('manage', request.ip, reply, kit)
      sameOriginOnWrite(request)
    },
    handler: async (request, reply) => {
      const owner = await ownerOf(request, kit)
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      const userCode = form.get('user_code')?.slice(0, LONGEST_CODE) ?? ''
      if (!owner) return sendPage(reply, outcomes.signInPrompt(pathOf(userCode || undefined), 403))
      if (!isFormToken(form.get('csrf'), tokenOf(request), userCode)) {
        throw new Refused({
          refusal: 'origin_mismatch',
          message: 'The form was not shown to this session. Open the link of your agent again.',
        })
      }
      return sendPage(reply, await decided(request, kit, owner, userCode, form))
    },
  })
}

type Owner = Extract<Caller, { kind: 'session' }>

async function ownerOf(request: FastifyRequest, kit: GatewayKit): Promise<Owner | undefined> {
  const caller = await callerOf(request, 'session', kit)
  return caller?.kind === 'session' ? caller : undefined
}

const tokenOf = (request: FastifyRequest): string => sessionCookie.read(request) ?? ''

const pathOf = (userCode: string | undefined): string =>
  userCode ? `/link?user_code=${encodeURIComponent(userCode)}` : '/link'

function call<Op extends Operation>(
  request: FastifyRequest,
  kit: GatewayKit,
  caller: Owner,
  op: Op,
  input: InputOf<Op>,
) {
  return kit.bus.call(op, input, { caller, requestId: request.id, timeoutMs: op.timeoutMs })
}

/** The request behind a code, with what the owner had filled in when that was not right. */
async function shown(
  request: FastifyRequest,
  kit: GatewayKit,
  caller: Owner,
  userCode: string,
  filled?: Parameters<typeof linkPage>[0]['filled'],
): Promise<Page> {
  const found = await call(request, kit, caller, agents.readLinkRequest, { userCode, requester: requesterOf(request) })
  if (isRefusal(found)) return refusedPage(found, userCode)
  return linkPage({
    request: found,
    owner: caller.owner,
    now: kit.clock.now(),
    formToken: formToken(tokenOf(request), found.userCode),
    ...(filled ? { filled } : {}),
  })
}

async function decided(
  request: FastifyRequest,
  kit: GatewayKit,
  caller: Owner,
  userCode: string,
  form: URLSearchParams,
): Promise<Page> {
  const decision = verdictOf(form)
  if (!decision) throw new Refused({ refusal: 'invalid_request', message: 'The form says neither approve nor deny.' })
  if ('problems' in decision) return shown(request, kit, caller, userCode, decision)
  const answer = await call(request, kit, caller, agents.decideLink, {
    userCode,
    requester: requesterOf(request),
    decision,
  })
  if (isRefusal(answer)) return refusedPage(answer, userCode)
  if (decision.verdict === 'deny') return outcomes.denied(answer.request)
  return outcomes.approved({ ...decision, ...answer })
}

function refusedPage(refusal: Refusal, userCode: string): Page {
  switch (refusal.refusal) {
    case 'unauthorized':
      return outcomes.signInPrompt(pathOf(userCode), 403)
    case 'not_found':
      return outcomes.unusableCode(404)
    case 'already_decided':
      return outcomes.unusableCode(409)
    case 'link_limit':
      return outcomes.noSlotLeft
    case 'rate_limited':
      return outcomes.tooManyCodes(refusal.retryAfterSeconds ?? GUESSING_PAUSE_S)
    default:
      throw new Refused(refusal)
  }
}
