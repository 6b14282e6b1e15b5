import type { oauth } from '@callboard/contract'
import type { OauthHandler } from '../kit.ts'
import { showEnded } from '../revocation.ts'
import { endFamilies } from '../store/family.repository.ts'

export const revokeLink: OauthHandler<typeof oauth.revokeLink> = async ({ linkId }, ctx) => {
  await ctx.db.transaction().execute((tx) => endFamilies(tx, [linkId], new Date(ctx.clock.now()), 'owner'))
  await showEnded(ctx, [linkId])
  return {}
}
