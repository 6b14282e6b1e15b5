import { familyEnded } from '@callboard/contract'
import { DAY_MS, isoTime } from '@callboard/values'
import type { OauthContext } from '../context.ts'
import { endLapsedOfAgents } from '../store/ended.repository.ts'

/**
 * Ends the families of agents that have reached `LINK_MAX_DAYS`, and publishes that: `agents` then ends their links, and
 * with them the Router keys, which do not expire by themselves. Their tokens expired at the same time.
 * @returns how many
 */
export async function endLapsed({ db, clock, config, publishAll }: OauthContext): Promise<number> {
  const now = clock.now()
  const consentedBy = new Date(now - config.LINK_MAX_DAYS * DAY_MS)
  return db.transaction().execute(async (tx) => {
    const families = await endLapsedOfAgents(tx, consentedBy, new Date(now))
    const ended = { because: 'revoked', endedAt: isoTime(now) } as const
    await publishAll(
      tx,
      familyEnded,
      families.map(({ id: familyId, client_id: clientId, owner }) => ({ familyId, clientId, owner, ...ended })),
    )
    return families.length
  })
}
