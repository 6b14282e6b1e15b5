import type { oauth } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { OauthHandler } from '../context.ts'
import { raiseEpoch } from '../store/account.repository.ts'
import { revokeKey } from '../store/api-key.repository.ts'
import { epochKey, showEpoch } from '../tokens/revocation.ts'

export const deleteKey: OauthHandler<typeof oauth.deleteKey> = async ({ id }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const epoch = await ctx.db
    .transaction()
    .execute(async (tx) =>
      (await revokeKey(tx, owner, id, new Date(ctx.clock.now()))) ? raiseEpoch(tx, owner) : undefined,
    )
  if (epoch === undefined) return refuse('not_found')
  await showEpoch(ctx, epochKey(owner), epoch)
  return {}
}
