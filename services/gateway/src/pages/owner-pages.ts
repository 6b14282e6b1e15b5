import type { FastifyInstance } from 'fastify'
import type { GatewayContext } from '../context.ts'
import { FORM } from '../input/forms.ts'
import { addAccount } from './account/account.ts'
import { addActivity } from './activity/activity.ts'
import { addAuthorize } from './authorize/authorize.ts'
import { addFront } from './front/front.ts'
import { addListing } from './front/listing.ts'
import { addInvoke } from './invoke/invoke.ts'
import { addLink } from './link/link.ts'
import { addListings } from './listings/listings.ts'
import { leadToOwnAddress } from './owner/own-address.ts'
import { addRouter } from './router/router.ts'
import { errorPage, faultPage } from './shell/error-page.ts'
import { sendPage } from './shell/send-page.ts'
import { addSignIn } from './sign-in/sign-in.ts'
import { addStake } from './stake/stake.ts'

/** The pages of signed-in owners. They always answer with HTML, and accept only forms. */
export async function addOwnerPages(owners: FastifyInstance, ctx: GatewayContext): Promise<void> {
  await owners.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => {
      done(null, new URLSearchParams(body.toString()))
    })
    scope.setErrorHandler((error, request, reply) => {
      const page = errorPage(error, request.body)
      if (!page) request.log.error({ err: error, route: request.routeOptions.url }, 'a page failed')
      return sendPage(reply, page ?? faultPage(request.id))
    })
    leadToOwnAddress(scope)
    addFront(scope, ctx)
    addListing(scope, ctx)
    addInvoke(scope, ctx)
    addActivity(scope, ctx)
    addAccount(scope, ctx)
    addRouter(scope, ctx)
    addListings(scope, ctx)
    addStake(scope, ctx)
    addLink(scope, ctx)
    addAuthorize(scope, ctx)
    addSignIn(scope, ctx)
  })
}
