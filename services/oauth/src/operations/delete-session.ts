import type { oauth } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { OauthHandler } from '../kit.ts'
import { showEpoch } from '../revocation.ts'
import { raiseEpoch } from '../store/account.repository.ts'
import { deleteSession as removeSession } from '../store/session.repository.ts'

export const deleteSession: OauthHandler<typeof oauth.deleteSession> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner, sessionId } = ctx.caller
  const epoch = await ctx.db.transaction().execute(async (tx) => {
    await removeSession(tx, sessionId)
    return raiseEpoch(tx, owner)
  })
  await showEpoch(ctx, owner, epoch)
  return {}
}
