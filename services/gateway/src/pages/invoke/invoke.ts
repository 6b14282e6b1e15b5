import { anonymous, catalog, type InvokedCall } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../context.ts'
import { limitAddress } from '../../hooks/rate-limit.ts'
import { API_CATALOG_LINK, INVOKE_PATH } from '../paths.ts'
import type { Page } from '../shell/document.ts'
import { sendPage } from '../shell/send-page.ts'
import { invokePage } from './invoke-page.ts'
import { callChangedPage, noListingLeftPage, unsignedLinkPage } from './refused-link.ts'

/** The page that the signed links of discovery and of listings open. */
export function addInvoke(scope: FastifyInstance, ctx: GatewayContext): void {
  scope.get(INVOKE_PATH, { config: { ownerPage: true } }, async (request, reply) => {
    reply.header('link', API_CATALOG_LINK)
    await limitAddress('read', request, reply, ctx)
    return sendPage(reply, await pageOf(request, ctx))
  })
}

async function pageOf(request: FastifyRequest, ctx: GatewayContext): Promise<Page> {
  const { schema } = request.query as Record<string, unknown>
  // A member that is repeated is a list, and none that was signed.
  const link = catalog.readInvokeLink.input.safeParse(request.query)
  if (!link.success) return unsignedLinkPage(schema)
  const { timeoutMs } = catalog.readInvokeLink
  const found = await ctx.bus.call(catalog.readInvokeLink, link.data, {
    ...{ caller: anonymous, requestId: request.id, timeoutMs },
  })
  if (!isRefusal(found)) return invokePage(found as InvokedCall, ctx.clock.now())
  if (found.refusal === 'invalid_request') return unsignedLinkPage(schema)
  return found.field === 'schema' ? noListingLeftPage : callChangedPage(schema)
}
