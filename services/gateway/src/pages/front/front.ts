import type { FastifyInstance } from 'fastify'
import type { GatewayContext } from '../../context.ts'
import { limitAddress } from '../../hooks/rate-limit.ts'
import { ownerOf } from '../owner/owner.ts'
import { API_CATALOG_LINK } from '../paths.ts'
import { sendPage } from '../shell/send-page.ts'
import { frontPage } from './front-page.ts'
import { find, searchOf } from './search.ts'

/** The front page at `/`, with the search of the directory. */
export function addFront(scope: FastifyInstance, ctx: GatewayContext): void {
  scope.get('/', { config: { ownerPage: true } }, async (request, reply) => {
    reply.header('link', API_CATALOG_LINK)
    await limitAddress('read', request, reply, ctx)
    const search = searchOf(request)
    const [found, owner] = await Promise.all([find(search, request, ctx), ownerIfKnown(request, ctx)])
    return sendPage(reply, frontPage({ search, found, owner, origin: scope.publicOrigin }))
  })
}

/** Searching needs no account, so an unavailable oauth service does not prevent it. */
const ownerIfKnown = async (...asked: Parameters<typeof ownerOf>): Promise<string | undefined> =>
  (await ownerOf(...asked).catch(() => undefined))?.owner
