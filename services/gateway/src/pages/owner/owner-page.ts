import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'htm/preact'
import type { GatewayContext } from '../../context.ts'
import { limitAddress } from '../../hooks/rate-limit.ts'
import { sameOriginOnWrite } from '../../hooks/same-origin.ts'
import type { Page } from '../shell/document.ts'
import { sendPage } from '../shell/send-page.ts'
import { formOf, isShownForm, type OwnerRequest, ownerOf } from './owner.ts'

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
  /** Where the form is shown anew. */
  readonly shownAt: (form: URLSearchParams) => string
  readonly decide: (asking: OwnerRequest, form: URLSearchParams) => Promise<FastifyReply>
}

/** Adds the handler of a page's form: sent from our own origin, by an owner, and as it was shown to their session. */
export function addOwnerForm(scope: FastifyInstance, ctx: GatewayContext, form: OwnerForm): void {
  const { path, maxBytes, signIn, about, shownAt, decide } = form
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
      if (!isShownForm(request, about(sent))) return sendPage(reply, outdatedForm(shownAt(sent)))
      return decide({ caller, request, reply, ctx }, sent)
    },
  })
}

/** For a form of another session, such as the one before an owner signed in again in another tab. */
const outdatedForm = (path: string): Page => ({
  status: 403,
  title: 'This form is out of date',
  body: html`<p class="problem" role="alert">
      It was not shown to this session: you have signed in again since, or with another wallet. Nothing was changed.
    </p>
    <p><a class="button primary" href=${path}>Open the page again</a></p>`,
})
