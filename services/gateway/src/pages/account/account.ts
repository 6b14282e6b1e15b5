import { AgentClientId, AllowanceUsd, agents, oauth } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { FastifyInstance } from 'fastify'
import { Refused } from '../../answers/errors.ts'
import type { GatewayContext } from '../../context.ts'
import { callAs, formTokenOf, type OwnerRequest } from '../owner/owner.ts'
import { addOwnerForm, addOwnerPage } from '../owner/owner-page.ts'
import { signAgain, WEIGHS_MORE } from '../owner/sign-again.ts'
import type { Page } from '../shell/document.ts'
import { sendPage } from '../shell/send-page.ts'
import { signInPrompt } from './account-page.ts'
import { confirmEnd, confirmEndEverything, confirmSignOutEverywhere } from './confirm-page.ts'
import { ended, everythingEnded } from './end-by-form.ts'
import { makeKey } from './make-key.ts'
import { readAccount } from './read-account.ts'
import { PATH, refusedPage } from './refused-page.ts'
import { GONE, keep, leftBehind, NOT_KNOWN, shown } from './show-account.ts'
import { finishSignOut, signOutEverywhere } from './sign-out.ts'
import { isKind, isListed, thingOf } from './things.ts'

const MAX_FORM_BYTES = 4 * 1024
const USD = /^\d{1,4}(\.\d{1,2})?$/

/** The page of everything that acts for an owner: `GET` lists it, `POST` ends or changes an item. It runs no script. */
export function addAccount(scope: FastifyInstance, ctx: GatewayContext): void {
  addOwnerPage(scope, ctx, {
    path: PATH,
    signIn: () => signInPrompt(),
    show: async (asking) => sendPage(asking.reply, await shown(asking, undefined, leftBehind(asking))),
  })
  addOwnerPage(scope, ctx, {
    path: `${PATH}/end`,
    signIn: () => signInPrompt(),
    show: async (asking) => sendPage(asking.reply, await asked(asking)),
  })
  addOwnerForm(scope, ctx, {
    path: PATH,
    maxBytes: MAX_FORM_BYTES,
    signIn: () => signInPrompt(403),
    about: () => PATH,
    shownAt: () => PATH,
    decide: async (asking, form) => sendPage(asking.reply, await done(asking, form)),
  })
}

/** Asks for confirmation before ending something that others may rely on. */
async function asked(asking: OwnerRequest): Promise<Page> {
  const { request } = asking
  const { what, id } = request.query as Record<string, unknown>
  const formToken = formTokenOf(request, PATH)
  if (what === 'sessions') return confirmSignOutEverywhere(formToken)
  if (what === 'everything') return confirmEndEverything(formToken)
  const account = await readAccount(asking)
  if (!isKind(what) || typeof id !== 'string') return shown(asking, GONE)
  const thing = thingOf(account, what, id)
  if (thing) return confirmEnd(thing, formToken)
  return shown(asking, isListed(account, what) ? GONE : NOT_KNOWN)
}

/** @throws Refused invalid_request if the form asks for nothing that can be done here */
async function done(asking: OwnerRequest, form: URLSearchParams): Promise<Page> {
  switch (form.get('do')) {
    case 'end':
      return ended(asking, form)
    case 'acknowledge':
      return acknowledged(asking, form)
    case 'set-limit':
      return limited(asking, form)
    case 'make-key':
      return keyMade(asking, form)
    case 'sign-out':
      return finishSignOut(asking, await callAs(asking, oauth.deleteSession, {}))
    case 'end-everything':
      return everythingEnded(asking, form)
    case 'sign-out-everywhere':
      return signOutEverywhere(asking, form)
    default:
      throw new Refused({ refusal: 'invalid_request', message: 'The form asks for nothing that this page can do.' })
  }
}

/** @throws Refused invalid_request when the form names no agent */
async function acknowledged(asking: OwnerRequest, form: URLSearchParams): Promise<Page> {
  const input = agents.acknowledge.input.safeParse({ clientIds: form.getAll('id') })
  if (!input.success) throw new Refused({ refusal: 'invalid_request', message: 'The form does not name an agent.' })
  const answer = await callAs(asking, agents.acknowledge, input.data)
  return isRefusal(answer) ? refusedPage(answer) : shown(asking)
}

async function limited(asking: OwnerRequest, form: URLSearchParams): Promise<Page> {
  const text = form.get('router_allowance_usd') ?? ''
  const usd = USD.test(text) ? AllowanceUsd.safeParse(Number(text)).data : undefined
  if (usd === undefined) {
    const text = 'Nothing was changed. A daily limit is an amount from 0 to 1000 USD, in whole cents.'
    return shown(asking, { status: 400, text }, form)
  }
  const { data: clientId } = AgentClientId.safeParse(form.get('id'))
  if (clientId === undefined) return shown(asking, GONE)
  const answer = await callAs(asking, agents.edit, { clientId, routerAllowanceUsd: usd })
  if (isRefusal(answer) && answer.refusal === 'fresh_signature_required') keep(asking, form)
  if (isRefusal(answer)) return answer.refusal === 'not_found' ? shown(asking, GONE) : refusedPage(answer)
  return shown(asking, {
    status: 200,
    text: `The agent “${answer.agent.label}” may spend ${usd} USD of your Compute per day from now on.`,
  })
}

async function keyMade(asking: OwnerRequest, form: URLSearchParams): Promise<Page> {
  const made = await makeKey(asking, form)
  if (!isRefusal(made)) return made
  const refused = (why: string | undefined) => shown(asking, { status: 400, text: `No key was made. ${why}` }, form)
  switch (made.refusal) {
    case 'fresh_signature_required':
      keep(asking, form)
      return signAgain(PATH, WEIGHS_MORE.key)
    case 'key_limit':
      return refused('You have the most keys of that kind that you can have. Revoke one that you do not need.')
    case 'invalid_request':
      return refused(made.message)
    default:
      return refusedPage(made)
  }
}
