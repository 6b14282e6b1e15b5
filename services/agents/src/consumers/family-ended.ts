import type { familyEnded } from '@callboard/contract'
import type { AgentsConsumer } from '../kit.ts'
import { changeLink, lockLink } from '../store/link.repository.ts'

/**
 * The tokens of a link ended it: a stolen refresh token, or a revocation. Its end is begun here, and completed by the job,
 * which can wait for the Router.
 */
export const onFamilyEnded: AgentsConsumer<typeof familyEnded> = async ({ familyId, because, endedAt }, { tx }) => {
  const link = await lockLink(tx, familyId)
  if (link?.state === 'approving') throw new Error(`The approval of link ${familyId} is not written down yet`)
  if (link?.state !== 'live') return
  const ended = { ended_at: new Date(endedAt), ended_by: because }
  await changeLink(tx, familyId, { state: 'ending', attempted_at: new Date(0), ...ended })
}
