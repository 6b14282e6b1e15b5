import { AgentClientId, familyEnded } from '@callboard/contract'
import type { AfterRestore } from '@callboard/runtime'
import { isoTime } from '@callboard/values'
import type { OauthContext } from './context.ts'
import { endCredentials, type LiveCredentials, liveCredentials } from './store/restore.repository.ts'
import { epochKey, showEnded, showEpoch } from './tokens/revocation.ts'

/** Epochs shown to the gateways per batch. */
const AT_ONCE = 500

/**
 * Ends every credential: the tables cannot say which were revoked in the lost time, and a revived one would reopen what
 * its owner closed (docs/adr/0100). Owners sign in again, and agents are linked again.
 */
export async function afterRestore(ctx: OauthContext, { dryRun }: AfterRestore): Promise<string[]> {
  const live = await liveCredentials(ctx.db)
  if (dryRun) return [told(live, 'would end')]
  const now = ctx.clock.now()
  const { families, accounts } = await ctx.db.transaction().execute(async (tx) => {
    const ended = await endCredentials(tx, new Date(now))
    const ofAgents = ended.families.filter(({ client_id }) => AgentClientId.safeParse(client_id).success)
    await ctx.publishAll(
      tx,
      familyEnded,
      ofAgents.map(({ id: familyId, client_id: clientId, owner }) => ({
        ...{ familyId, clientId, owner },
        ...{ because: 'revoked' as const, endedAt: isoTime(now) },
      })),
    )
    return ended
  })
  for (let from = 0; from < accounts.length; from += AT_ONCE) {
    const shown = accounts.slice(from, from + AT_ONCE)
    await Promise.all(shown.map(({ owner, epoch }) => showEpoch(ctx, epochKey(owner), epoch)))
  }
  for (let from = 0; from < families.length; from += AT_ONCE) {
    await showEnded(
      ctx,
      families.slice(from, from + AT_ONCE).map(({ id }) => id),
    )
  }
  return [told(live, 'ended')]
}

const told = ({ sessions, keys, families }: LiveCredentials, what: string): string =>
  `${sessions} sessions, ${keys} API keys and ${families} grants to programs and agents ${what}`
