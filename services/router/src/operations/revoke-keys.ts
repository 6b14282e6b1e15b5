import type { router } from '@callboard/contract'
import type { RouterHandler } from '../context.ts'
import { endKeysOfLink } from '../store/key.repository.ts'

export const revokeKeys: RouterHandler<typeof router.revokeKeys> = async ({ linkId }, ctx) => {
  const now = new Date(ctx.clock.now())
  await ctx.db.transaction().execute((tx) => endKeysOfLink(tx, { linkId }, now))
  return {}
}
