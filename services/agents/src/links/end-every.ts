import type { AgentsCallingContext } from '../context.ts'
import { linksOf } from '../store/link.repository.ts'
import type { EndedBy, LinkTable } from '../store/tables.ts'
import { becomeLive } from './become-live.ts'
import { approvalInProgress, type Descendants, end, finishEnd, isStuck, voidLink } from './end.ts'
import { isGranted } from './settle.ts'

/**
 * Ends all of an owner's links to a client, and their descendants unless those are kept; once this resolves, nothing of
 * them is left, and it may be repeated.
 * @refuses temporarily_unavailable while an approval of the client is under way, or met its end from above within a
 * minute: what it makes could outlive the answer
 * @throws BusFault when oauth or the Router is unavailable
 */
export async function endEvery(
  ctx: AgentsCallingContext,
  client: Pick<LinkTable, 'owner' | 'client_id'>,
  by: EndedBy,
  descendants: Descendants = 'end',
) {
  for (const link of await linksOf(ctx.db, client.owner, ['approving'])) {
    if (link.client_id !== client.client_id) continue
    if (!(await isGranted(ctx, link))) return approvalInProgress
    await becomeLive(ctx, link)
  }
  let isLeftToJob = false
  // Also those that were just replaced: their ends are left to the job where a service is away for a moment.
  for (const link of await linksOf(ctx.db, client.owner, ['ending'])) {
    const isIts = link.client_id === client.client_id
    const isDone = isIts && isStuck(link, ctx.clock.now())
    if (isDone) await finishEnd(ctx, link)
    else if (isIts || link.ended_by === 'parent') await voidLink(ctx, link)
    isLeftToJob ||= isIts && !isDone
  }
  const refused = await end(ctx, client, by, descendants)
  return refused ?? (isLeftToJob ? approvalInProgress : {})
}
