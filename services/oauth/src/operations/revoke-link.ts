import type { oauth } from '@callboard/contract'
import type { OauthHandler } from '../context.ts'
import { endFamilies } from '../store/family.repository.ts'
import { showEnded } from '../tokens/revocation.ts'

export const revokeLink: OauthHandler<typeof oauth.revokeLink> = async ({ linkId }, ctx) => {
  await ctx.db.transaction().execute((tx) => endFamilies(tx, [linkId], new Date(ctx.clock.now()), 'owner'))
  await showEnded(ctx, [linkId])
  return {}
}
