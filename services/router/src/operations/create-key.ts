import type { router } from '@callboard/contract'
import { isoTime, refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { routerBaseUrl } from '../keys/base-url.ts'
import { newSecret } from '../keys/credential.ts'
import { ensureBudget, subjectOf } from '../store/budget.repository.ts'
import { insertKey, mintedByOwner } from '../store/key.repository.ts'

export const createKey: RouterHandler<typeof router.createKey> = async ({ label, source }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const { secret, hash, prefix } = newSecret()
  const id = ctx.newId()
  const createdAt = new Date(ctx.clock.now())
  return ctx.db.transaction().execute(async (tx) => {
    if ((await mintedByOwner(tx, owner)) >= ctx.config.ROUTER_KEYS_PER_OWNER) return refuse('key_limit')
    await insertKey(tx, { id, hash, prefix, owner, linkId: null, source, label, createdAt })
    for (const subject of [subjectOf('owner', owner), subjectOf('key', id)]) await ensureBudget(tx, subject, null)
    const baseUrl = routerBaseUrl(ctx.config)
    return { id, label, source, key: secret, baseUrl, createdAt: isoTime(createdAt.getTime()) }
  })
}
