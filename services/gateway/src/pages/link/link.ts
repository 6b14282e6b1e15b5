import { agents } from '@callboard/contract'
import { isRefusal, type Refusal } from '@callboard/values'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refused } from '../../answers/errors.ts'
import type { GatewayContext } from '../../context.ts'
import { requesterOf } from '../../input/requester.ts'
import { keptForm } from '../owner/kept-form.ts'
import { callAs, formTokenOf, type OwnerRequest } from '../owner/owner.ts'
import { addOwnerForm, addOwnerPage } from '../owner/owner-page.ts'
import { signAgain, WEIGHS_MORE } from '../owner/sign-again.ts'
import type { Page } from '../shell/document.ts'
import { sendPage } from '../shell/send-page.ts'
import { fieldsOf, filledFrom, verdictOf } from './link-form.ts'
import * as outcomes from './link-outcomes.ts'
import { linkPage } from './link-page.ts'

const PATH = '/link'
const MAX_FORM_BYTES = 16 * 1024
const LONGEST_CODE = 64
/** When to retry, if the agents service does not say. */
const GUESSING_PAUSE_S = 600

/** The page at which an owner approves or denies an agent: `GET` shows who asks, `POST` decides. */
export function addLink(scope: FastifyInstance, ctx: GatewayContext): void {
  addOwnerPage(scope, ctx, {
    path: PATH,
    signIn: (request) => outcomes.signInPrompt(pathOf(codeIn(request).userCode)),
    show: async (asking) => sendPage(asking.reply, await opened(asking)),
  })
  addOwnerForm(scope, ctx, {
    path: PATH,
    maxBytes: MAX_FORM_BYTES,
    signIn: (form) => outcomes.signInPrompt(pathOf(codeOf(form)), 403),
    about: codeOf,
    shownAt: (form) => pathOf(codeOf(form)),
    decide: async (asking, form) => sendPage(asking.reply, await decided(asking, form)),
  })
}

const pathOf = (userCode: string | undefined): string =>
  userCode ? `${PATH}?user_code=${encodeURIComponent(userCode)}` : PATH

const codeOf = (form: URLSearchParams): string => form.get('user_code')?.slice(0, LONGEST_CODE) ?? ''

/** The code in the address, as received and, if it can be one, as a code. */
function codeIn(request: FastifyRequest): { readonly asked: unknown; readonly userCode: string | undefined } {
  const { user_code: asked } = request.query as Record<string, unknown>
  return { asked, userCode: typeof asked === 'string' && asked.length <= LONGEST_CODE ? asked : undefined }
}

/** @source Fetch Metadata; a program, or an older browser, says nothing, and `none` is an address that a person opened */
const isSentByAnother = ({ headers }: FastifyRequest): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']))

/** The page for an address: the request behind its code, or a form to enter one. */
async function opened(asking: OwnerRequest): Promise<Page> {
  const { asked, userCode } = codeIn(asking.request)
  if (asked === undefined || asked === '') return outcomes.codeEntry
  if (userCode === undefined) return outcomes.unusableCode('')
  // Another site's page may open any address with the owner's cookie; only the owner tries a code.
  if (isSentByAnother(asking.request)) return outcomes.codeSentHere(userCode)
  const kept = keptForm.read(asking, pathOf(userCode))
  return shown(asking, userCode, kept && filledFrom(kept))
}

/** The request behind a code, with what the owner had filled in if that was invalid. */
async function shown(
  asking: OwnerRequest,
  userCode: string,
  filled?: Parameters<typeof linkPage>[0]['filled'],
): Promise<Page> {
  const { caller, request, ctx } = asking
  const found = await callAs(asking, agents.readLinkRequest, { userCode, requester: requesterOf(request) })
  if (isRefusal(found)) return refusedPage(found, userCode)
  return linkPage({
    request: found,
    owner: caller.owner,
    now: ctx.clock.now(),
    formToken: formTokenOf(request, found.userCode),
    ...(filled ? { filled } : {}),
  })
}

async function decided(asking: OwnerRequest, form: URLSearchParams): Promise<Page> {
  const userCode = codeOf(form)
  const decision = verdictOf(form)
  if (!decision) throw new Refused({ refusal: 'invalid_request', message: 'The form says neither approve nor deny.' })
  if ('problems' in decision) return shown(asking, userCode, decision)
  const answer = await callAs(asking, agents.decideLink, {
    userCode,
    requester: requesterOf(asking.request),
    decision,
  })
  if (isRefusal(answer) && answer.refusal === 'fresh_signature_required' && decision.verdict === 'approve') {
    const path = pathOf(userCode)
    keptForm.keep(asking, path, fieldsOf(decision))
    return signAgain(path, WEIGHS_MORE.agent)
  }
  if (isRefusal(answer)) return undecided(answer, userCode)
  keptForm.forget(asking)
  if (decision.verdict === 'deny') return outcomes.denied(answer.request)
  return outcomes.approved({ ...decision, ...answer })
}

/** The form's token shows that there was such a request, and that it was shown to this owner. */
function undecided(refusal: Refusal, userCode: string): Page {
  if (refusal.refusal === 'not_found') return outcomes.alreadyDecided(404)
  if (refusal.refusal === 'already_decided') return outcomes.alreadyDecided(409)
  return refusedPage(refusal, userCode)
}

function refusedPage(refusal: Refusal, userCode: string): Page {
  switch (refusal.refusal) {
    case 'unauthorized':
      return outcomes.signInPrompt(pathOf(userCode), 403)
    case 'not_found':
      return outcomes.unusableCode(userCode)
    case 'link_limit':
      return outcomes.noSlotLeft
    case 'rate_limited':
      return outcomes.tooManyCodes(refusal.retryAfterSeconds ?? GUESSING_PAUSE_S)
    default:
      throw new Refused(refusal)
  }
}
