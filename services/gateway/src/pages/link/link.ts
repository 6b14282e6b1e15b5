import { agents } from '@callboard/contract'
import { isRefusal, type Refusal } from '@callboard/values'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../../answers/errors.ts'
import type { GatewayContext } from '../../context.ts'
import { limitAddress } from '../../hooks/rate-limit.ts'
import { sameOriginOnWrite } from '../../hooks/same-origin.ts'
import { requesterOf } from '../../input/requester.ts'
import { keptForm } from '../owner/kept-form.ts'
import { callAs, formOf, formTokenOf, type Owner, ownerOf, requireShownForm } from '../owner/owner.ts'
import { signAgain, WEIGHS_MORE } from '../owner/sign-again.ts'
import type { Page } from '../shell/document.ts'
import { sendPage } from '../shell/send-page.ts'
import { fieldsOf, filledFrom, verdictOf } from './link-form.ts'
import * as outcomes from './link-outcomes.ts'
import { linkPage } from './link-page.ts'

const MAX_FORM_BYTES = 16 * 1024
const LONGEST_CODE = 64
/** When to try again, where the agents service does not say. */
const GUESSING_PAUSE_S = 600

/** The page at which an owner approves or denies an agent: `GET` shows who asks, `POST` decides. */
export function addLink(scope: FastifyInstance, ctx: GatewayContext): void {
  scope.get('/link', { config: { ownerPage: true } }, async (request, reply) => {
    await limitAddress('read', request, reply, ctx)
    const { user_code: asked } = request.query as Record<string, unknown>
    const userCode = typeof asked === 'string' && asked.length <= LONGEST_CODE ? asked : undefined
    const owner = await ownerOf(request, ctx)
    if (!owner) return sendPage(reply, outcomes.signInPrompt(pathOf(userCode)))
    if (asked === undefined || asked === '') return sendPage(reply, outcomes.codeEntry)
    if (userCode === undefined) return sendPage(reply, outcomes.unusableCode(404))
    const kept = keptForm.read(request, { path: pathOf(userCode), owner: owner.owner })
    return sendPage(reply, await shown(request, ctx, owner, userCode, kept && filledFrom(kept)))
  })

  scope.post('/link', {
    bodyLimit: MAX_FORM_BYTES,
    config: { ownerPage: true },
    onRequest: async (request, reply) => {
      await limitAddress('manage', request, reply, ctx)
      sameOriginOnWrite(request)
    },
    handler: async (request, reply) => {
      const owner = await ownerOf(request, ctx)
      const form = formOf(request)
      const userCode = form.get('user_code')?.slice(0, LONGEST_CODE) ?? ''
      if (!owner) return sendPage(reply, outcomes.signInPrompt(pathOf(userCode || undefined), 403))
      requireShownForm(request, userCode, 'Open the link of your agent again.')
      return sendPage(reply, await decided(request, reply, ctx, { owner, userCode, form }))
    },
  })
}

const pathOf = (userCode: string | undefined): string =>
  userCode ? `/link?user_code=${encodeURIComponent(userCode)}` : '/link'

/** The request behind a code, with what the owner had filled in when that was not right. */
async function shown(
  request: FastifyRequest,
  ctx: GatewayContext,
  caller: Owner,
  userCode: string,
  filled?: Parameters<typeof linkPage>[0]['filled'],
): Promise<Page> {
  const found = await callAs(caller, request, ctx, agents.readLinkRequest, {
    userCode,
    requester: requesterOf(request),
  })
  if (isRefusal(found)) return refusedPage(found, userCode)
  return linkPage({
    request: found,
    owner: caller.owner,
    now: ctx.clock.now(),
    formToken: formTokenOf(request, found.userCode),
    ...(filled ? { filled } : {}),
  })
}

interface Sent {
  readonly owner: Owner
  readonly userCode: string
  readonly form: URLSearchParams
}

async function decided(
  request: FastifyRequest,
  reply: FastifyReply,
  ctx: GatewayContext,
  { owner, userCode, form }: Sent,
): Promise<Page> {
  const decision = verdictOf(form)
  if (!decision) throw new Refused({ refusal: 'invalid_request', message: 'The form says neither approve nor deny.' })
  if ('problems' in decision) return shown(request, ctx, owner, userCode, decision)
  const answer = await callAs(owner, request, ctx, agents.decideLink, {
    userCode,
    requester: requesterOf(request),
    decision,
  })
  if (isRefusal(answer) && answer.refusal === 'fresh_signature_required' && decision.verdict === 'approve') {
    const path = pathOf(userCode)
    keptForm.keep(request, reply, { path, owner: owner.owner }, fieldsOf(decision))
    return signAgain(path, WEIGHS_MORE.agent)
  }
  if (isRefusal(answer)) return refusedPage(answer, userCode)
  keptForm.forget(request, reply)
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
