import { type Caller, type OutputOf, oauth, refuseStaleSignature, router } from '@callboard/contract'
import { type Address, isoTime, isRefusal, refuse } from '@callboard/values'
import type { RouterCallingContext, RouterHandler } from '../context.ts'
import { nanoUsdOf } from '../domain/usd.ts'
import { routerBaseUrl } from '../keys/base-url.ts'
import { newSecret } from '../keys/credential.ts'
import { ensureBudget, setLimit, subjectOf } from '../store/budget.repository.ts'
import { endKey, insertKey, mintedByOwner } from '../store/key.repository.ts'

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
  const made = await ctx.db.transaction().execute(async (tx) => {
    if ((await mintedByOwner(tx, owner)) >= ctx.config.ROUTER_KEYS_PER_OWNER) return refuse('key_limit')
    await insertKey(tx, { id, hash, prefix, owner, linkId: null, source, label, createdAt })
    await ensureBudget(tx, subjectOf('owner', owner), null)
    await setLimit(tx, subjectOf('key', id), dailyLimitUsd === null ? null : nanoUsdOf(dailyLimitUsd))
    const baseUrl = routerBaseUrl(ctx.config)
    return { id, label, source, dailyLimitUsd, key: secret, baseUrl, createdAt: isoTime(createdAt.getTime()) }
  })
  return isRefusal(made) ? made : unlessEnded(ctx, ctx.caller, made)
}

/**
 * If the session is still active once the key exists, any later logout follows it and the owner sees the key. If it
 * ended after its request was admitted, the key is ended and its secret returned to nobody.
 */
async function unlessEnded<Made extends Pick<OutputOf<typeof router.createKey>, 'id'>>(
  ctx: RouterCallingContext,
  { owner, sessionId }: Extract<Caller, { kind: 'session' }>,
  made: Made,
) {
  let isGiven = false
  try {
    const session = await ctx.call(oauth.sessionState, { owner, sessionId })
    isGiven = !isRefusal(session) && session.active
  } finally {
    if (!isGiven) await endUntold(ctx, owner, made.id)
  }
  return isGiven ? made : refuse('unauthorized')
}

const endUntold = ({ db, clock }: RouterCallingContext, owner: Address, id: string) =>
  db.transaction().execute((tx) => endKey(tx, { owner, id }, new Date(clock.now())))
