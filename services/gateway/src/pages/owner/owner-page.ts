import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../context.ts'
import { limitAddress } from '../../hooks/rate-limit.ts'
import { sameOriginOnWrite } from '../../hooks/same-origin.ts'
import type { Page } from '../shell/document.ts'
import { sendPage } from '../shell/send-page.ts'
import { formOf, type OwnerRequest, ownerOf, requireShownForm } from './owner.ts'

/** A page for which an owner has to be signed in. */
interface OwnerPage {
  readonly path: string
  /** For a visitor who is not signed in: the way to sign in and back to here. */
  readonly signIn: (request: FastifyRequest) => Page
  readonly show: (asking: OwnerRequest) => Promise<FastifyReply>
}

/** Adds a read-only page. */
export function addOwnerPage(scope: FastifyInstance, ctx: GatewayContext, { path, signIn, show }: OwnerPage): void {
  scope.get(path, { config: { ownerPage: true } }, async (request, reply) => {
    await limitAddress('read', request, reply, ctx)
    const caller = await ownerOf(request, ctx)
    return caller ? show({ caller, request, reply, ctx }) : sendPage(reply, signIn(request))
  })
}

/** A form of such a page. */
interface OwnerForm {
  readonly path: string
  readonly maxBytes: number
  readonly signIn: (form: URLSearchParams) => Page
  /** What the form is bound to in addition to the session. */
  readonly about: (form: URLSearchParams) => string
  /** How to start over if the form was not shown to this session. */
  readonly again: string
  readonly decide: (asking: OwnerRequest, form: URLSearchParams) => Promise<FastifyReply>
}

/** Adds the handler of a page's form: sent from our own origin, by an owner, and as it was shown to their session. */
export function addOwnerForm(scope: FastifyInstance, ctx: GatewayContext, form: OwnerForm): void {
  const { path, maxBytes, signIn, about, again, decide } = form
  scope.post(path, {
    bodyLimit: maxBytes,
    config: { ownerPage: true },
    onRequest: async (request, reply) => {
      await limitAddress('manage', request, reply, ctx)
      sameOriginOnWrite(request)
    },
    handler: async (request, reply) => {
      const caller = await ownerOf(request, ctx)
      const sent = formOf(request)
      if (!caller) return sendPage(reply, signIn(sent))
      requireShownForm(request, about(sent), again)
      return decide({ caller, request, reply, ctx }, sent)
    },
  })
}
