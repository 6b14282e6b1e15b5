import { BusFault } from '@callboard/bus'
import { AgentClientId, type familyEnded } from '@callboard/contract'
import type { Address } from '@callboard/values'
import type { AgentsConsumer } from '../context.ts'
import { beginEndOfDescendants } from '../links/end.ts'
import { changeLink, lockLink, tellOfUnsettled } from '../store/link.repository.ts'
import { lockOwner } from '../store/owner.repository.ts'

/** The job, which the commit wakes, takes it up at once. */
const AT_ONCE = new Date(0)

/**
 * Handles a link whose tokens ended it: a stolen refresh token, a revocation, or the end of their lifetime. Its end, and
 * that of its descendants, begins here and is completed by the job, which can wait for the Router.
 */
export const onFamilyEnded: AgentsConsumer<typeof familyEnded> = async (
  { familyId, clientId, owner, because, endedAt },
  { tx },
) => {
  if (!AgentClientId.safeParse(clientId).success) return
  await lockOwner(tx, owner as Address)
  const link = await lockLink(tx, familyId)
  // The job writes it down, however long that takes; for any other fault, the event would be given up.
  if (link?.state === 'approving') throw new BusFault('unavailable', 'agents', `link ${familyId} is still approving`)
  if (link?.state !== 'live') return
  const now = new Date(endedAt)
  await changeLink(tx, familyId, { state: 'ending', attempted_at: AT_ONCE, ended_at: now, ended_by: because })
  await beginEndOfDescendants(tx, link, 'end', { by: 'parent', now, attemptedAt: AT_ONCE })
  await tellOfUnsettled(tx)
}
