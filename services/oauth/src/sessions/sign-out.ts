import type { Address } from '@callboard/values'
import type { OauthContext } from '../context.ts'
import { epochOf, raiseEpoch } from '../store/account.repository.ts'
import { endFamilies, familyOfSession } from '../store/family.repository.ts'
import { deleteSession, deleteSessions } from '../store/session.repository.ts'
import type { OauthTx } from '../store/tables.ts'
import { epochKey, showEnded, showEpoch } from '../tokens/revocation.ts'

/** Ends a session and the tokens of its pages. @returns false if the owner has no such session */
export async function signOut(ctx: OauthContext, owner: Address, sessionId: string): Promise<boolean> {
  const family = familyOfSession(sessionId)
  const epoch = await ctx.db.transaction().execute(async (tx) => {
    if (!(await deleteSession(tx, owner, sessionId))) return undefined
    await endFamilies(tx, [family], new Date(ctx.clock.now()), 'signed_out')
    return raiseEpoch(tx, owner)
  })
  // An earlier end may not have been shown, if the counters were unavailable: a repeat shows it.
  await showEpoch(ctx, epochKey(owner), epoch ?? (await epochOf(ctx.db, owner)) ?? 0)
  await showEnded(ctx, [family])
  return epoch !== undefined
}

/** Ends all sessions of an owner, and the tokens of their pages. @returns the number of sessions, and their families */
export async function endSessionsOf(
  ctx: Pick<OauthContext, 'clock'>,
  tx: OauthTx,
  owner: Address,
): Promise<{ readonly sessions: number; readonly families: readonly string[] }> {
  const families = (await deleteSessions(tx, owner)).map(familyOfSession)
  await endFamilies(tx, families, new Date(ctx.clock.now()), 'signed_out')
  return { sessions: families.length, families }
}
