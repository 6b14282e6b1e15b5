import type { router } from '@callboard/contract'
import { isoTime, refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { liveKeysOf } from '../store/key.repository.ts'

export const listKeys: RouterHandler<typeof router.listKeys> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const keys = await liveKeysOf(ctx.db, ctx.caller.owner)
  return {
    keys: keys.map(({ id, label, source, prefix, createdAt, lastUsedAt }) => ({
      ...{ id, label, source, prefix },
      createdAt: isoTime(createdAt.getTime()),
      lastUsedAt: lastUsedAt && isoTime(lastUsedAt.getTime()),
    })),
  }
}
