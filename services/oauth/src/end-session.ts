import type { Address } from '@callboard/values'
import type { OauthKit } from './kit.ts'
import { epochKey, showEnded, showEpoch } from './revocation.ts'
import { epochOf, raiseEpoch } from './store/account.repository.ts'
import { endFamilies, familyOfSession } from './store/family.repository.ts'
import { deleteSession } from './store/session.repository.ts'

/** Ends a session and the tokens that its pages hold. @returns false when the owner has no such session */
export async function endSessionOf(ctx: OauthKit, owner: Address, sessionId: string): Promise<boolean> {
  const family = familyOfSession(sessionId)
  const epoch = await ctx.db.transaction().execute(async (tx) => {
    if (!(await deleteSession(tx, owner, sessionId))) return undefined
    await endFamilies(tx, [family], new Date(ctx.clock.now()), 'signed_out')
    return raiseEpoch(tx, owner)
  })
  // One that had ended may not have been shown, where the counters were away: a repeat shows it.
  await showEpoch(ctx, epochKey(owner), epoch ?? (await epochOf(ctx.db, owner)) ?? 0)
  await showEnded(ctx, [family])
  return epoch !== undefined
}
