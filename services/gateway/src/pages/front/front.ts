import { anonymous, catalog, type Stats } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../context.ts'
import { limitAddress } from '../../hooks/rate-limit.ts'
import { ownerOf } from '../owner/owner.ts'
import { API_CATALOG_LINK } from '../paths.ts'
import { sendPage } from '../shell/send-page.ts'
import { frontPage } from './front-page.ts'
import { find, searchOf } from './search.ts'

/** How long the page waits for the sums, which it can do without. */
const SUMS_WITHIN_MS = 1_000

/** The front page at `/`, with the search of the directory. */
export function addFront(scope: FastifyInstance, ctx: GatewayContext): void {
  scope.get('/', { config: { ownerPage: true } }, async (request, reply) => {
    reply.header('link', API_CATALOG_LINK)
    await limitAddress('read', request, reply, ctx)
    const search = searchOf(request)
    const [found, owner, observed] = await Promise.all([
      find(search, request, ctx),
      ownerIfKnown(request, ctx),
      search.q ? undefined : observedIfKnown(request, ctx),
    ])
    return sendPage(reply, frontPage({ search, found, owner, observed, origin: scope.publicOrigin }))
  })
}

/** Searching needs no account, so an unavailable oauth service does not prevent it. */
const ownerIfKnown = async (...asked: Parameters<typeof ownerOf>): Promise<string | undefined> =>
  (await ownerOf(...asked).catch(() => undefined))?.owner

/** The sums of a month; undefined while they cannot be read. */
async function observedIfKnown({ id }: FastifyRequest, { bus }: GatewayContext): Promise<Stats | undefined> {
  const meta = { caller: anonymous, requestId: id, timeoutMs: SUMS_WITHIN_MS }
  const sums = await bus.call(catalog.stats, { range: '30d' }, meta).catch(() => undefined)
  return sums === undefined || isRefusal(sums) ? undefined : sums
}
