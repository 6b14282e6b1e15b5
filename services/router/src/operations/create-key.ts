import { refuseStaleSignature, router } from '@callboard/contract'
import { isoTime, refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { nanoUsdOf } from '../domain/usd.ts'
import { routerBaseUrl } from '../keys/base-url.ts'
import { newSecret } from '../keys/credential.ts'
import { ensureBudget, setLimit, subjectOf } from '../store/budget.repository.ts'
import { insertKey, mintedByOwner } from '../store/key.repository.ts'

export const createKey: RouterHandler<typeof router.createKey> = async (
  { label, source, dailyLimitUsd = null },
  ctx,
) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const stale = refuseStaleSignature(router.createKey, ctx.caller, ctx.clock.now())
  if (stale) return stale
  const { secret, hash, prefix } = newSecret()
  const id = ctx.newId()
  const createdAt = new Date(ctx.clock.now())
  return ctx.db.transaction().execute(async (tx) => {
    if ((await mintedByOwner(tx, owner)) >= ctx.config.ROUTER_KEYS_PER_OWNER) return refuse('key_limit')
    await insertKey(tx, { id, hash, prefix, owner, linkId: null, source, label, createdAt })
    await ensureBudget(tx, subjectOf('owner', owner), null)
    await setLimit(tx, subjectOf('key', id), dailyLimitUsd === null ? null : nanoUsdOf(dailyLimitUsd))
    const baseUrl = routerBaseUrl(ctx.config)
    return { id, label, source, dailyLimitUsd, key: secret, baseUrl, createdAt: isoTime(createdAt.getTime()) }
  })
}
