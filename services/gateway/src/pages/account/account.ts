import { AgentClientId, AgentLabel, AllowanceUsd, agents, oauth } from '@callboard/contract'
import { isRefusal, type Refusal } from '@callboard/values'
import type { FastifyInstance } from 'fastify'
import { Refused } from '../../answers/errors.ts'
import type { GatewayContext } from '../../context.ts'
import { callAs, formTokenOf, type OwnerRequest } from '../owner/owner.ts'
import { addOwnerForm, addOwnerPage } from '../owner/owner-page.ts'
import { signAgain, WEIGHS_MORE } from '../owner/sign-again.ts'
import type { Page } from '../shell/document.ts'
import { sendPage } from '../shell/send-page.ts'
import { counted } from '../wording.ts'
import { accountPage, type Shown, signInPrompt } from './account-page.ts'
import { confirmEnd, confirmEndEverything, confirmSignOutEverywhere } from './confirm-page.ts'
import { endEverything } from './end-everything.ts'
import { endThing } from './end-thing.ts'
import { makeKey } from './make-key.ts'
import { readAccount } from './read-account.ts'
import { readOverview } from './read-overview.ts'
import { PATH, refusedPage } from './refused-page.ts'
import { finishSignOut, signOutEverywhere } from './sign-out.ts'
import { isKind, isListed, type Thing, thingOf, WORDS } from './things.ts'

const MAX_FORM_BYTES = 4 * 1024
const USD = /^\d{1,4}(\.\d{1,2})?$/

/** The page of everything that acts for an owner: `GET` lists it, `POST` ends or changes an item. It runs no script. */
export function addAccount(scope: FastifyInstance, ctx: GatewayContext): void {
  addOwnerPage(scope, ctx, {
    path: PATH,
    signIn: () => signInPrompt(),
    show: async (asking) => sendPage(asking.reply, await shown(asking)),
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
    again: 'Open your account page again.',
    decide: async (asking, form) => sendPage(asking.reply, await done(asking, form)),
  })
}

async function shown(asking: OwnerRequest, said?: Shown['said']): Promise<Page> {
  const [account, overview] = await Promise.all([readAccount(asking), readOverview(asking)])
  return accountPage({
    ...{ owner: asking.caller.owner, account, overview },
    now: asking.ctx.clock.now(),
    formToken: formTokenOf(asking.request, PATH),
    ...(said ? { said } : {}),
  })
}

const GONE: Shown['said'] = { status: 404, text: 'It has already ended, or it is not yours. Nothing was changed.' }
const NOT_KNOWN: Shown['said'] = {
  status: 503,
  text: 'It cannot be looked up right now, and may still act for you. Nothing was changed. Try again in a moment.',
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

async function ended(asking: OwnerRequest, form: URLSearchParams): Promise<Page> {
  const [kind, id] = [form.get('what'), form.get('id') ?? '']
  if (!isKind(kind)) return shown(asking, GONE)
  const account = await readAccount(asking)
  const thing = thingOf(account, kind, id)
  if (!thing) {
    if (!isListed(account, kind)) return shown(asking, NOT_KNOWN)
    // A trust that has ended is not listed, though the end of what it approved may wait for another service.
    const isDevice = kind === 'device' && AgentLabel.safeParse(id).success
    const unfinished = isDevice ? await endThing(asking, { kind, id }, 'keep') : undefined
    return unfinished ? notEnded(asking, { kind, name: id }, unfinished) : shown(asking, GONE)
  }
  const keeps = form.get('descendants') === 'keep'
  const refusal = await endThing(asking, thing, keeps ? 'keep' : 'end')
  if (refusal) return notEnded(asking, thing, refusal)
  const { called, done: follows } = WORDS[thing.kind]
  const rest =
    thing.descendants === 0
      ? ''
      : ` ${keeps ? 'Kept' : 'Also ended'} ${counted(thing.descendants, 'agent')} linked through it.`
  return shown(asking, { status: 200, text: `Ended ${called} “${thing.name}”. ${follows}${rest}` })
}

/** If another service is away, the end may have begun, and a part of it waits. */
async function notEnded(
  asking: OwnerRequest,
  { kind, name }: Pick<Thing, 'kind' | 'name'>,
  refusal: Refusal,
): Promise<Page> {
  if (refusal.refusal !== 'temporarily_unavailable') return refusedPage(refusal)
  const text = `Not all of ${WORDS[kind].called} “${name}” has ended, and what is left may still work.`
  return shown(asking, { status: 503, text: `${text} ${refusal.message ?? ''} Try again in a moment.` })
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
    return shown(asking, {
      status: 400,
      text: 'Nothing was changed. A daily limit is an amount from 0 to 1000 USD, in whole cents.',
    })
  }
  const { data: clientId } = AgentClientId.safeParse(form.get('id'))
  if (clientId === undefined) return shown(asking, GONE)
  const answer = await callAs(asking, agents.edit, { clientId, routerAllowanceUsd: usd })
  if (isRefusal(answer)) return answer.refusal === 'not_found' ? shown(asking, GONE) : refusedPage(answer)
  return shown(asking, {
    status: 200,
    text: `The agent “${answer.agent.label}” may spend ${usd} USD of your Compute per day from now on.`,
  })
}

async function keyMade(asking: OwnerRequest, form: URLSearchParams): Promise<Page> {
  const made = await makeKey(asking, form)
  if (!isRefusal(made)) return made
  const refused = (why: string | undefined) => shown(asking, { status: 400, text: `No key was made. ${why}` })
  switch (made.refusal) {
    case 'fresh_signature_required':
      return signAgain(PATH, WEIGHS_MORE.key)
    case 'key_limit':
      return refused('You have the most keys of that kind that you can have. Revoke one that you do not need.')
    case 'invalid_request':
      return refused(made.message)
    default:
      return refusedPage(made)
  }
}

async function everythingEnded(asking: OwnerRequest, form: URLSearchParams): Promise<Page> {
  const also = { listings: form.get('listings') === 'true' }
  const { ended, left } = await endEverything(asking, also)
  if (left.length > 0) {
    const text = `Not everything has ended. Not all of these could be ended: ${left.join(', ')}. Programs and this browser’s session are still active. Try again. Ended: ${inWords(ended) || 'nothing'}.`
    return shown(asking, { status: 503, text })
  }
  const answer = await callAs(asking, oauth.endSessions, { grants: true })
  if (isRefusal(answer)) return refusedPage(answer)
  const { sessions, programs } = answer.ended
  const since = await endEverything(asking, { ...also, isLast: true })
  const all = inWords(sum([ended, since.ended, new Map(Object.entries({ program: programs, session: sessions }))]))
  const rest =
    since.left.length === 0
      ? 'Nothing acts for you any more.'
      : `Not all of these could be ended: ${since.left.join(', ')}. Sign in, and end everything once more.`
  return finishSignOut(asking, answer, `Ended: ${all}. ${rest}`)
}

type Counts = ReadonlyMap<string, number>

function sum(counts: readonly Counts[]): Counts {
  const all = new Map<string, number>()
  for (const [noun, count] of counts.flatMap((one) => [...one])) all.set(noun, (all.get(noun) ?? 0) + count)
  return all
}

const inWords = (counts: Counts): string => [...counts].map(([noun, count]) => counted(count, noun)).join(', ')
