import { agentRevoked, oauth } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { AgentsContext } from '../kit.ts'
import { beginEnd, endLink } from '../store/link.repository.ts'
import type { EndedBy, LinkTable } from '../store/tables.ts'
import { passing } from './moments.ts'
import { endKeys } from './router-key.ts'

/** Ends an owner's live link of a client: no token of it is accepted when this is answered, and the Router has its keys. */
export async function end(ctx: AgentsContext, link: Pick<LinkTable, 'owner' | 'client_id'>, by: EndedBy) {
  const ending = await beginEnd(ctx.db, link, by, new Date(ctx.clock.now()))
  if (!ending) return
  passing('ending')
  await finishEnd(ctx, ending)
}

/**
 * The rest of an end that is written down. It may be repeated.
 * @throws BusFault when oauth or, where the link may have a key, the Router is away; the job comes back to it
 */
export async function finishEnd(ctx: AgentsContext, link: LinkTable): Promise<void> {
  await ctx.call(oauth.revokeLink, { linkId: link.id })
  await endKeys(ctx, link.id)
  passing('void')
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await endLink(tx, link.id))) return
    await ctx.publish(tx, agentRevoked, {
      ...{ linkId: link.id, clientId: link.client_id, owner: link.owner },
      revokedAt: isoTime((link.ended_at ?? new Date(ctx.clock.now())).getTime()),
      by: link.ended_by ?? 'owner',
    })
  })
}
