import { type InputOf, type Operation, oauth, Scope } from '@callboard/contract'
import { isRefusal, type Refusal } from '@callboard/values'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../../answers/errors.ts'
import type { GatewayContext } from '../../context.ts'
import { limitAddress } from '../../hooks/rate-limit.ts'
import { keptForm } from '../owner/kept-form.ts'
import { callAs, formTokenOf, type OwnerRequest } from '../owner/owner.ts'
import { addOwnerForm, addOwnerPage } from '../owner/owner-page.ts'
import { signAgain, WEIGHS_MORE } from '../owner/sign-again.ts'
import { sendPage } from '../shell/send-page.ts'
import { authorizePage, signInPrompt, unanswerable, unreadable } from './authorize-page.ts'
import { wayBackPage } from './way-back.ts'

const PATH = '/oauth/authorize'
/** An 8 KiB query grows when a form encodes it once more. */
const MAX_FORM_BYTES = 32 * 1024

type Decision = InputOf<typeof oauth.decideAuthorization>['decision']

/** The consent page of RFC 6749 §4.1.1: `GET` shows who asks, `POST` decides and returns the owner to the client. */
export function addAuthorize(scope: FastifyInstance, ctx: GatewayContext): void {
  addOwnerPage(scope, ctx, {
    path: PATH,
    signIn: (request) => signInPrompt(pathOf(queryIn(request))),
    show: async (asking) => {
      const query = queryIn(asking.request)
      await limitReading(asking, query)
      return show(asking, query)
    },
  })
  addOwnerForm(scope, ctx, {
    path: PATH,
    maxBytes: MAX_FORM_BYTES,
    signIn: (form) => signInPrompt(pathOf(queryOf(form)), 403),
    about: (form) => pathOf(queryOf(form)),
    shownAt: (form) => pathOf(queryOf(form)),
    decide: async (asking, form) => {
      await limitReading(asking, queryOf(form))
      return decide(asking, form)
    },
  })
}

/** The authorization request as received: the service judges what a client repeats or leaves out. */
const queryIn = ({ url }: FastifyRequest): string => /\?(.*)$/s.exec(url)?.[1] ?? ''

const queryOf = (form: URLSearchParams): string => form.get('query') ?? ''

const pathOf = (query: string): string => (query ? `${PATH}?${query}` : PATH)

/** Whether the client is known by a document on a third party's server, which may have to be read for this request. */
const namesDocument = (query: string): boolean =>
  new URLSearchParams(query).getAll('client_id').some((id) => /^https?:/i.test(id))

/** The client's document is fetched for the owner, so it counts as a probe. @throws Refused rate_limited */
async function limitReading({ request, reply, ctx }: OwnerRequest, query: string): Promise<void> {
  if (namesDocument(query)) await limitAddress('probe', request, reply, ctx)
}

/** @param more `isEmpty` if the owner approved nothing */
async function show(
  asking: OwnerRequest,
  query: string,
  more: { readonly isEmpty?: true } = {},
): Promise<FastifyReply> {
  const { caller, request, reply } = asking
  const read = await callAs(asking, oauth.readAuthorization, bounded({ query }, oauth.readAuthorization))
  if (isRefusal(read)) return refuse(reply, read, query)
  if ('redirectTo' in read) return answer(reply, read)
  const kept = keptForm.read(asking, pathOf(query))
  const page = authorizePage({
    request: read.request,
    owner: caller.owner,
    path: pathOf(query),
    query,
    formToken: formTokenOf(request, pathOf(query)),
    ...more,
    ...(kept ? { ticked: kept.getAll('scopes') } : {}),
  })
  return sendPage(reply, page)
}

async function decide(asking: OwnerRequest, form: URLSearchParams): Promise<FastifyReply> {
  const { reply } = asking
  const query = queryOf(form)
  const decision = decisionOf(form)
  if (decision.verdict === 'approve' && decision.scopes.length === 0) {
    return show(asking, query, { isEmpty: true })
  }
  const decided = await callAs(
    asking,
    oauth.decideAuthorization,
    bounded({ query, decision }, oauth.decideAuthorization),
  )
  if (isRefusal(decided) && decided.refusal === 'fresh_signature_required' && decision.verdict === 'approve') {
    const path = pathOf(query)
    const fields = new URLSearchParams(decision.scopes.map((scope) => ['scopes', scope]))
    keptForm.keep(asking, path, fields)
    return sendPage(reply, signAgain(path, WEIGHS_MORE.program))
  }
  if (isRefusal(decided)) return refuse(reply, decided, query)
  keptForm.forget(asking)
  return answer(reply, decided)
}

/** @throws Refused invalid_request if the form names no decision */
function decisionOf(form: URLSearchParams): Decision {
  const verdict = form.get('decision')
  if (verdict === 'deny') return { verdict }
  if (verdict === 'approve') {
    const scopes = [...new Set(form.getAll('scopes').flatMap((one) => Scope.safeParse(one).data ?? []))]
    const formAction = form.get('form_action') ?? undefined
    return { verdict, scopes, refreshes: form.get('refreshes') !== 'false', formAction }
  }
  throw new Refused({ refusal: 'invalid_request', message: 'The form says neither approve nor deny.' })
}

/** @throws Refused invalid_request if the query is longer than the operation accepts */
function bounded<Op extends Operation>(input: InputOf<Op>, { input: schema }: Op): InputOf<Op> {
  if (schema.safeParse(input).success) return input
  throw new Refused({ refusal: 'invalid_request', message: 'The authorization request is too long.' })
}

type Answer = Parameters<typeof wayBackPage>[0] & { readonly allowedBefore: boolean; readonly granted?: boolean }

/** Only a program that this owner allows, now or before, gets its answer without another click. */
const answer = (reply: FastifyReply, answered: Answer): FastifyReply =>
  answered.granted || answered.allowedBefore
    ? redirect(reply, answered.redirectTo)
    : sendPage(reply, wayBackPage(answered))

/** RFC 9700 §4.12: 303, so that no browser reposts the form to the redirect target. */
const redirect = (reply: FastifyReply, to: string): FastifyReply =>
  reply
    .code(303)
    .header('location', to)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .send()

function refuse(reply: FastifyReply, refusal: Refusal, query: string): FastifyReply {
  if (refusal.refusal === 'unauthorized') return sendPage(reply, signInPrompt(pathOf(query), 403))
  if (refusal.refusal === 'invalid_request') return sendPage(reply, unanswerable(refusal.message ?? ''))
  if (refusal.refusal === 'temporarily_unavailable') return sendPage(reply, unreadable(refusal))
  throw new Refused(refusal)
}
