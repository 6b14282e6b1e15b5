import { anonymous, type CatalogueEntry, catalog } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { FastifyInstance } from 'fastify'
import { Refused } from '../../answers/errors.ts'
import type { GatewayContext } from '../../context.ts'
import { limitAddress } from '../../hooks/rate-limit.ts'
import { API_CATALOG_LINK } from '../paths.ts'
import { sendPage } from '../shell/send-page.ts'
import { listingPage, noListingPage } from './listing-page.ts'

const PATIENCE_MS = 5_000

/** The page of a published listing, to which feeds and searches link. */
export function addListing(scope: FastifyInstance, ctx: GatewayContext): void {
  scope.get('/call/:serviceId', { config: { ownerPage: true } }, async (request, reply) => {
    reply.header('link', API_CATALOG_LINK)
    await limitAddress('read', request, reply, ctx)
    const input = catalog.entry.input.safeParse(request.params)
    if (!input.success) throw new Refused({ refusal: 'invalid_request', field: 'serviceId' })
    const meta = { caller: anonymous, requestId: request.id, timeoutMs: PATIENCE_MS }
    const found = await ctx.bus.call(catalog.entry, input.data, meta)
    return sendPage(reply, isRefusal(found) ? noListingPage : listingPage(found as CatalogueEntry, ctx.clock.now()))
  })
}
