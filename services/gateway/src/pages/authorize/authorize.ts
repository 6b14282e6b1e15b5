import { type InputOf, type Operation, oauth, Scope } from '@callboard/contract'
import { isRefusal, type Refusal } from '@callboard/values'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../../answers/errors.ts'
import type { GatewayContext } from '../../context.ts'
import { limitAddress } from '../../hooks/rate-limit.ts'
import { sameOriginOnWrite } from '../../hooks/same-origin.ts'
import { keptForm } from '../owner/kept-form.ts'
import { callAs, formOf, formTokenOf, type Owner, ownerOf, requireShownForm } from '../owner/owner.ts'
import { signAgain, WEIGHS_MORE } from '../owner/sign-again.ts'
import { sendPage } from '../shell/send-page.ts'
import { authorizePage, signInPrompt, unanswerable, unreadable } from './authorize-page.ts'
import { wayBackPage } from './way-back.ts'

const PATH = '/oauth/authorize'
/** A query of 8 KiB grows when a form encodes it once more. */
const MAX_FORM_BYTES = 32 * 1024

type Decision = InputOf<typeof oauth.decideAuthorization>['decision']

/** The consent page of RFC 6749 §4.1.1: `GET` shows who asks, `POST` decides and sends the owner back to the client. */
export function addAuthorize(scope: FastifyInstance, ctx: GatewayContext): void {
  scope.get(PATH, { config: { ownerPage: true } }, async (request, reply) => {
    await limitAddress('read', request, reply, ctx)
    const [, query = ''] = /\?(.*)$/s.exec(request.url) ?? []
    const owner = await ownerOf(request, ctx)
    if (!owner) return sendPage(reply, signInPrompt(pathOf(query)))
    if (namesDocument(query)) await limitAddress('probe', request, reply, ctx)
    return show(request, reply, ctx, { owner, query })
  })

  scope.post(PATH, {
    bodyLimit: MAX_FORM_BYTES,
    config: { ownerPage: true },
    onRequest: async (request, reply) => {
      await limitAddress('manage', request, reply, ctx)
      sameOriginOnWrite(request)
    },
    handler: async (request, reply) => {
      const owner = await ownerOf(request, ctx)
      const form = formOf(request)
      const query = form.get('query') ?? ''
      if (!owner) return sendPage(reply, signInPrompt(pathOf(query), 403))
      requireShownForm(request, pathOf(query), 'Start again from the program.')
      if (namesDocument(query)) await limitAddress('probe', request, reply, ctx)
      return decide(request, reply, ctx, { owner, query, form })
    },
  })
}

const pathOf = (query: string): string => (query ? `${PATH}?${query}` : PATH)

/** Whether the client is known by a document on a third party's server, which may have to be read for this request. */
const namesDocument = (query: string): boolean =>
  new URLSearchParams(query).getAll('client_id').some((id) => /^https?:/i.test(id))

interface Asked {
  readonly owner: Owner
  readonly query: string
}

async function show(
  request: FastifyRequest,
  reply: FastifyReply,
  ctx: GatewayContext,
  { owner, query, isEmpty }: Asked & { readonly isEmpty?: true },
): Promise<FastifyReply> {
  const read = await callAs(owner, request, ctx, oauth.readAuthorization, bounded({ query }, oauth.readAuthorization))
  if (isRefusal(read)) return refuse(reply, read, query)
  if ('redirectTo' in read) return answer(reply, read)
  const kept = keptForm.read(request, { path: pathOf(query), owner: owner.owner })
  const page = authorizePage({
    request: read.request,
    owner: owner.owner,
    path: pathOf(query),
    query,
    formToken: formTokenOf(request, pathOf(query)),
    ...(isEmpty ? { isEmpty } : {}),
    ...(kept ? { ticked: kept.getAll('scopes') } : {}),
  })
  return sendPage(reply, page)
}

async function decide(
  request: FastifyRequest,
  reply: FastifyReply,
  ctx: GatewayContext,
  { owner, query, form }: Asked & { readonly form: URLSearchParams },
): Promise<FastifyReply> {
  const decision = decisionOf(form)
  if (decision.verdict === 'approve' && decision.scopes.length === 0) {
    return show(request, reply, ctx, { owner, query, isEmpty: true })
  }
  const decided = await callAs(
    owner,
    request,
    ctx,
    oauth.decideAuthorization,
    bounded({ query, decision }, oauth.decideAuthorization),
  )
  if (isRefusal(decided) && decided.refusal === 'fresh_signature_required' && decision.verdict === 'approve') {
    const path = pathOf(query)
    const fields = new URLSearchParams(decision.scopes.map((scope) => ['scopes', scope]))
    keptForm.keep(request, reply, { path, owner: owner.owner }, fields)
    return sendPage(reply, signAgain(path, WEIGHS_MORE.program))
  }
  if (isRefusal(decided)) return refuse(reply, decided, query)
  keptForm.forget(request, reply)
  return answer(reply, decided)
}

/** @throws Refused invalid_request when the form names no decision */
function decisionOf(form: URLSearchParams): Decision {
  const verdict = form.get('decision')
  if (verdict === 'deny') return { verdict }
  if (verdict === 'approve')
    return { verdict, scopes: [...new Set(form.getAll('scopes').flatMap((one) => Scope.safeParse(one).data ?? []))] }
  throw new Refused({ refusal: 'invalid_request', message: 'The form says neither approve nor deny.' })
}

/** @throws Refused invalid_request when the query is longer than the operation takes */
function bounded<Op extends Operation>(input: InputOf<Op>, { input: schema }: Op): InputOf<Op> {
  if (schema.safeParse(input).success) return input
  throw new Refused({ refusal: 'invalid_request', message: 'The authorization request is too long.' })
}

type Answer = Parameters<typeof wayBackPage>[0] & { readonly allowedBefore: boolean; readonly granted?: boolean }

/** Only a program that this owner allows, or has allowed before, gets its answer without another click of theirs. */
const answer = (reply: FastifyReply, answered: Answer): FastifyReply =>
  answered.granted || answered.allowedBefore
    ? redirect(reply, answered.redirectTo)
    : sendPage(reply, wayBackPage(answered))

/** RFC 9700 §4.12: 303, so that no browser posts the form again to where it is sent. */
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
