import type { router } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { endKey } from '../store/key.repository.ts'

/** Each call reads its key in the statement that admits it, so an ended key is refused everywhere after this commit. */
export const deleteKey: RouterHandler<typeof router.deleteKey> = async ({ id }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const now = new Date(ctx.clock.now())
  const ended = await ctx.db.transaction().execute((tx) => endKey(tx, { owner, id }, now))
  return ended ? undefined : refuse('not_found')
}
