import { refuse } from '@callboard/values'
import type { AgentsContext } from '../kit.ts'
import { linksOf } from '../store/link.repository.ts'
import type { EndedBy, LinkTable } from '../store/tables.ts'
import { becomeLive } from './become-live.ts'
import { end, finishEnd } from './end.ts'
import { isGranted } from './settle.ts'

/**
 * Ends whatever an owner has linked of a client; nothing is left of it when this is answered, and it may be repeated.
 * @refuses temporarily_unavailable while an approval of the client is under way, which could outlive the answer
 * @throws BusFault when oauth or the Router is away
 */
export async function endEvery(ctx: AgentsContext, client: Pick<LinkTable, 'owner' | 'client_id'>, by: EndedBy) {
  const unsettled = (await linksOf(ctx.db, client.owner, ['approving', 'ending'])).filter(
    ({ client_id }) => client_id === client.client_id,
  )
  for (const link of unsettled) {
    if (link.state === 'ending') await finishEnd(ctx, link)
    else if (await isGranted(ctx, link)) await becomeLive(ctx, link)
    else return refuse('temporarily_unavailable', { message: 'An approval is under way.', retryAfterSeconds: 5 })
  }
  await end(ctx, client, by)
  return {}
}
