import type { oauth } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { endGrantsIn } from '../clients/client-grants.ts'
import type { OauthHandler } from '../context.ts'
import { endSessionsOf } from '../sessions/sign-out.ts'
import { raiseEpoch } from '../store/account.repository.ts'
import { activeKeys } from '../store/api-key.repository.ts'
import { countAgents, programFamiliesOf, programsOf } from '../store/client-grant.repository.ts'
import { epochKey, showEnded, showEpoch } from '../tokens/revocation.ts'

/**
 * Sessions first, in one transaction: it waits for another session that is just granting something to a program or
 * making a key, so the result is ended or counted with the rest.
 */
export const endSessions: OauthHandler<typeof oauth.endSessions> = async ({ grants = false }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  return ctx.db.transaction().execute(async (tx) => {
    const { sessions, families } = await endSessionsOf(ctx, tx, owner)
    const allowed = await programFamiliesOf(tx, owner, new Date(ctx.clock.now()))
    const programs = new Set(allowed.map(({ client_id }) => client_id)).size
    const granted = grants ? await endGrantsIn(ctx, tx, owner, await programsOf(tx, owner)) : []
    const [agents, keys] = [await countAgents(tx, owner), await activeKeys(tx, owner)]
    const epoch = await raiseEpoch(tx, owner)
    // Shown before the commit: without its session, this caller could not retry while the counters are unavailable.
    await showEpoch(ctx, epochKey(owner), epoch)
    await showEnded(ctx, [...families, ...granted])
    return {
      ended: { sessions, programs: grants ? programs : 0 },
      stays: { programs: grants ? 0 : programs, agents, apiKeys: keys.length },
    }
  })
}
