import { AllowanceUsd, agents, oauth } from '@callboard/contract'
import { isRefusal, type Refusal } from '@callboard/values'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../../answers/errors.ts'
import type { GatewayContext } from '../../context.ts'
import { sessionCookie } from '../../credentials/session-cookie.ts'
import { limitAddress } from '../../hooks/rate-limit.ts'
import { sameOriginOnWrite } from '../../hooks/same-origin.ts'
import { callAs, formOf, formTokenOf, type Owner, ownerOf, requireShownForm } from '../owner/owner.ts'
import { signAgain, WEIGHS_MORE } from '../owner/sign-again.ts'
import type { Page } from '../shell/document.ts'
import { sendPage } from '../shell/send-page.ts'
import { counted } from '../wording.ts'
import { accountPage, type Shown, signedOut, signInPrompt } from './account-page.ts'
import { confirmEnd, confirmSignOutEverywhere } from './confirm-page.ts'
import { endThing } from './end-thing.ts'
import { readAccount } from './read-account.ts'
import { isKind, thingOf, WORDS } from './things.ts'

const PATH = '/account'
const MAX_FORM_BYTES = 4 * 1024
const USD = /^\d{1,4}(\.\d{1,2})?$/

/** The page of what acts for an owner: `GET` lists it, `POST` ends or changes one of it. It runs no script. */
export function addAccount(scope: FastifyInstance, ctx: GatewayContext): void {
  const config = { ownerPage: true } as const
  scope.get(PATH, { config }, async (request, reply) => {
    await limitAddress('read', request, reply, ctx)
    const owner = await ownerOf(request, ctx)
    return sendPage(reply, owner ? await shown(request, ctx, owner) : signInPrompt())
  })

  scope.get(`${PATH}/end`, { config }, async (request, reply) => {
    await limitAddress('read', request, reply, ctx)
    const owner = await ownerOf(request, ctx)
    return sendPage(reply, owner ? await asked(request, ctx, owner) : signInPrompt())
  })

  scope.post(PATH, {
    bodyLimit: MAX_FORM_BYTES,
    config,
    onRequest: async (request, reply) => {
      await limitAddress('manage', request, reply, ctx)
      sameOriginOnWrite(request)
    },
    handler: async (request, reply) => {
      const owner = await ownerOf(request, ctx)
      if (!owner) return sendPage(reply, signInPrompt(403))
      requireShownForm(request, PATH, 'Open your account page again.')
      return sendPage(reply, await done(request, reply, ctx, owner))
    },
  })
}

async function shown(request: FastifyRequest, ctx: GatewayContext, owner: Owner, said?: Shown['said']): Promise<Page> {
  return accountPage({
    owner: owner.owner,
    account: await readAccount(owner, request, ctx),
    now: ctx.clock.now(),
    formToken: formTokenOf(request, PATH),
    ...(said ? { said } : {}),
  })
}

const GONE: Shown['said'] = { status: 404, text: 'That was ended already, or it is not yours. Nothing was changed.' }

/** The question before something ends that others may rely on. */
async function asked(request: FastifyRequest, ctx: GatewayContext, owner: Owner): Promise<Page> {
  const { what, id } = request.query as Record<string, unknown>
  const formToken = formTokenOf(request, PATH)
  if (what === 'sessions') return confirmSignOutEverywhere(formToken)
  const account = await readAccount(owner, request, ctx)
  const thing = isKind(what) && typeof id === 'string' ? thingOf(account, what, id) : undefined
  return thing ? confirmEnd(thing, formToken) : shown(request, ctx, owner, GONE)
}

/** @throws Refused invalid_request when the form says nothing that can be done here */
async function done(request: FastifyRequest, reply: FastifyReply, ctx: GatewayContext, owner: Owner): Promise<Page> {
  const form = formOf(request)
  switch (form.get('do')) {
    case 'end':
      return ended(request, ctx, owner, form)
    case 'acknowledge':
      return acknowledged(request, ctx, owner, form)
    case 'set-limit':
      return limited(request, ctx, owner, form)
    case 'sign-out':
      return out(request, reply, await callAs(owner, request, ctx, oauth.deleteSession, {}))
    case 'sign-out-everywhere':
      return outEverywhere(request, reply, ctx, owner, form)
    default:
      throw new Refused({ refusal: 'invalid_request', message: 'The form says nothing that can be done here.' })
  }
}

async function ended(request: FastifyRequest, ctx: GatewayContext, owner: Owner, form: URLSearchParams): Promise<Page> {
  const [kind, id] = [form.get('what'), form.get('id') ?? '']
  const thing = isKind(kind) ? thingOf(await readAccount(owner, request, ctx), kind, id) : undefined
  if (!thing) return shown(request, ctx, owner, GONE)
  const keeps = form.get('descendants') === 'keep'
  const refusal = await endThing(owner, request, ctx, thing, keeps ? 'keep' : 'end')
  if (refusal) return refusedPage(refusal)
  const { called, done: follows } = WORDS[thing.kind]
  const rest =
    thing.descendants === 0
      ? ''
      : ` ${counted(thing.descendants, 'agent')} linked on its word ${keeps ? 'stay' : 'ended, too'}.`
  return shown(request, ctx, owner, { status: 200, text: `Ended ${called} “${thing.name}”. ${follows}${rest}` })
}

/** @throws Refused invalid_request when the form names no agent */
async function acknowledged(
  request: FastifyRequest,
  ctx: GatewayContext,
  owner: Owner,
  form: URLSearchParams,
): Promise<Page> {
  const input = agents.acknowledge.input.safeParse({ clientIds: form.getAll('id') })
  if (!input.success) throw new Refused({ refusal: 'invalid_request', message: 'The form names no agent.' })
  const answer = await callAs(owner, request, ctx, agents.acknowledge, input.data)
  return isRefusal(answer) ? refusedPage(answer) : shown(request, ctx, owner)
}

async function limited(
  request: FastifyRequest,
  ctx: GatewayContext,
  owner: Owner,
  form: URLSearchParams,
): Promise<Page> {
  const [clientId, text] = [form.get('id')?.slice(0, 64) ?? '', form.get('router_allowance_usd') ?? '']
  const usd = USD.test(text) ? AllowanceUsd.safeParse(Number(text)).data : undefined
  if (usd === undefined) {
    return shown(request, ctx, owner, {
      status: 400,
      text: 'Nothing was changed. A daily limit is a number of USD from 0 to 1000, in whole cents.',
    })
  }
  const answer = await callAs(owner, request, ctx, agents.edit, { clientId, routerAllowanceUsd: usd })
  if (isRefusal(answer)) return answer.refusal === 'not_found' ? shown(request, ctx, owner, GONE) : refusedPage(answer)
  return shown(request, ctx, owner, {
    status: 200,
    text: `The agent “${answer.agent.label}” may spend ${usd} USD a day from now on.`,
  })
}

function out(request: FastifyRequest, reply: FastifyReply, answer: object, goesOn?: string): Page {
  if (isRefusal(answer)) return refusedPage(answer)
  reply.header('set-cookie', sessionCookie.cleared(request))
  request.state.session = undefined
  return signedOut(goesOn)
}

async function outEverywhere(
  request: FastifyRequest,
  reply: FastifyReply,
  ctx: GatewayContext,
  owner: Owner,
  form: URLSearchParams,
): Promise<Page> {
  const grants = form.get('grants') === 'true'
  const answer = await callAs(owner, request, ctx, oauth.endSessions, { grants })
  if (isRefusal(answer)) return refusedPage(answer)
  const { ended: over, stays } = answer
  const left = [counted(stays.agents, 'agent'), counted(stays.programs, 'program'), counted(stays.apiKeys, 'API key')]
  const what = [counted(over.sessions, 'session'), ...(grants ? [counted(over.programs, 'program')] : [])]
  return out(request, reply, answer, `Ended: ${what.join(' and ')}. Going on: ${left.join(', ')}.`)
}

/** @throws Refused for what has no page of its own */
function refusedPage(refusal: Refusal): Page {
  if (refusal.refusal === 'unauthorized') return signInPrompt(403)
  if (refusal.refusal === 'fresh_signature_required') return signAgain(PATH, WEIGHS_MORE.account)
  throw new Refused(refusal)
}
