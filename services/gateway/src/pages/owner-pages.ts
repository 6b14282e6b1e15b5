import type { FastifyInstance } from 'fastify'
import { FORM } from '../forms.ts'
import type { GatewayKit } from '../kit.ts'
import { addAuthorize } from './authorize.ts'
import { errorPage, faultPage } from './error-page.ts'
import { addLink } from './link.ts'
import { sendPage } from './send-page.ts'
import { addSignIn } from './sign-in.ts'

/** The pages of signed-in owners. They answer HTML whatever happens, and take forms and nothing else. */
export async function addOwnerPages(owners: FastifyInstance, kit: GatewayKit): Promise<void> {
  await owners.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => {
      done(null, new URLSearchParams(body.toString()))
    })
    scope.setErrorHandler((error, request, reply) => {
      const page = errorPage(error)
      if (!page) request.log.error({ err: error, route: request.routeOptions.url }, 'a page failed')
      return sendPage(reply, page ?? faultPage(request.id))
    })
    addLink(scope, kit)
    addAuthorize(scope, kit)
    addSignIn(scope, kit)
  })
}
