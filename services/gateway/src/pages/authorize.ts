import { type InputOf, type Operation, oauth, Scope } from '@callboard/contract'
import { isRefusal, type Refusal } from '@callboard/values'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../errors.ts'
import type { GatewayKit } from '../kit.ts'
import { limit } from '../rate-limit.ts'
import { sameOriginOnWrite } from '../same-origin.ts'
import { authorizePage, signInPrompt, unanswerable } from './authorize-page.ts'
import { callAs, formOf, formTokenOf, type Owner, ownerOf, requireShownForm } from './owner.ts'
import { sendPage } from './send-page.ts'

const PATH = '/oauth/authorize'
/** A query of 8 KiB grows when a form encodes it once more. */
const MAX_FORM_BYTES = 32 * 1024

type Decision = InputOf<typeof oauth.decideAuthorization>['decision']

/** The consent page of RFC 6749 §4.1.1: `GET` shows who asks, `POST` decides and sends the owner back to the client. */
export function addAuthorize(scope: FastifyInstance, kit: GatewayKit): void {
  scope.get(PATH, { config: { ownerPage: true } }, async (request, reply) => {
    await limit('read', request.ip, reply, kit)
    const [, query = ''] = /\?(.*)$/s.exec(request.url) ?? []
    const owner = await ownerOf(request, kit)
    return owner ? show(request, reply, kit, { owner, query }) : sendPage(reply, signInPrompt(pathOf(query)))
  })

  scope.post(PATH, {
    bodyLimit: MAX_FORM_BYTES,
    config: { ownerPage: true },
    onRequest: async (request, reply) => {
      await limit('manage', request.ip, reply, kit)
      sameOriginOnWrite(request)
    },
    handler: async (request, reply) => {
      const owner = await ownerOf(request, kit)
      const form = formOf(request)
      const query = form.get('query') ?? ''
      if (!owner) return sendPage(reply, signInPrompt(pathOf(query), 403))
      requireShownForm(request, pathOf(query), 'Start again from the program.')
      return decide(request, reply, kit, { owner, query, form })
    },
  })
}

const pathOf = (query: string): string => (query ? `${PATH}?${query}` : PATH)

interface Asked {
  readonly owner: Owner
  readonly query: string
}

async function show(
  request: FastifyRequest,
  reply: FastifyReply,
  kit: GatewayKit,
  { owner, query, isEmpty }: Asked & { readonly isEmpty?: true },
): Promise<FastifyReply> {
  const read = await callAs(owner, request, kit, oauth.readAuthorization, bounded({ query }, oauth.readAuthorization))
  if (isRefusal(read)) return refuse(reply, read, query)
  if ('redirectTo' in read) return redirect(reply, read.redirectTo)
  const page = authorizePage({
    request: read.request,
    owner: owner.owner,
    path: pathOf(query),
    query,
    formToken: formTokenOf(request, pathOf(query)),
    ...(isEmpty ? { isEmpty } : {}),
  })
  return sendPage(reply, page)
}

async function decide(
  request: FastifyRequest,
  reply: FastifyReply,
  kit: GatewayKit,
  { owner, query, form }: Asked & { readonly form: URLSearchParams },
): Promise<FastifyReply> {
  const decision = decisionOf(form)
  if (decision.verdict === 'approve' && decision.scopes.length === 0) {
    return show(request, reply, kit, { owner, query, isEmpty: true })
  }
  const decided = await callAs(
    owner,
    request,
    kit,
    oauth.decideAuthorization,
    bounded({ query, decision }, oauth.decideAuthorization),
  )
  return isRefusal(decided) ? refuse(reply, decided, query) : redirect(reply, decided.redirectTo)
}

/** @throws Refused invalid_request when the form names no decision */
function decisionOf(form: URLSearchParams): Decision {
  const verdict = form.get('decision')
  if (verdict === 'deny') return { verdict }
  if (verdict === 'approve')
    return { verdict, scopes: form.getAll('scopes').flatMap((one) => Scope.safeParse(one).data ?? []) }
  throw new Refused({ refusal: 'invalid_request', message: 'The form says neither approve nor deny.' })
}

/** @throws Refused invalid_request when the query is longer than the operation takes */
function bounded<Op extends Operation>(input: InputOf<Op>, { input: schema }: Op): InputOf<Op> {
  if (schema.safeParse(input).success) return input
  throw new Refused({ refusal: 'invalid_request', message: 'The authorization request is too long.' })
}

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
  throw new Refused(refusal)
}
