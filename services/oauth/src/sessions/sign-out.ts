import type { Address } from '@callboard/values'
import type { OauthContext } from '../context.ts'
import { epochOf, raiseEpoch } from '../store/account.repository.ts'
import { endFamilies, familyOfSession } from '../store/family.repository.ts'
import { deleteLeastUsed, deleteSession, deleteSessions } from '../store/session.repository.ts'
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

/**
 * Ends the least recently used sessions of an owner who has more than allowed, and the tokens of their pages. Apart from
 * the sign-in: what is granted in a session locks it before the account, and a sign-in locks the account first.
 */
export async function endLeastUsed(ctx: OauthContext, owner: Address): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const families = (await deleteLeastUsed(tx, owner, ctx.config.SESSIONS_PER_OWNER)).map(familyOfSession)
    if (families.length === 0) return
    await endFamilies(tx, families, new Date(ctx.clock.now()), 'signed_out')
    // Shown before the commit: nobody repeats this while the counters are unavailable.
    await showEpoch(ctx, epochKey(owner), await raiseEpoch(tx, owner))
    await showEnded(ctx, families)
  })
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
