import type { router } from '@callboard/contract'
import { passRatesOn } from '../calls/key-rates.ts'
import type { RouterHandler } from '../context.ts'
import { nanoUsdOf } from '../domain/usd.ts'
import { routerBaseUrl } from '../keys/base-url.ts'
import { newSecret } from '../keys/credential.ts'
import { ensureBudget, setLimit, subjectOf } from '../store/budget.repository.ts'
import { endKeysOfLink, insertKey } from '../store/key.repository.ts'

/**
 * The new key exists before the older ones end; all of it happens in one transaction. It goes on with their rates, or an
 * agent could have the limits of a key as often as it renews it.
 */
export const mintKey: RouterHandler<typeof router.mintKey> = async (input, ctx) => {
  const { owner, linkId, source, label, allowanceUsd } = input
  const { secret, hash, prefix } = newSecret()
  const id = ctx.newId()
  const now = new Date(ctx.clock.now())
  const ended = await ctx.db.transaction().execute(async (tx) => {
    await insertKey(tx, { id, hash, prefix, owner, linkId, source, label, createdAt: now })
    for (const subject of [subjectOf('owner', owner), subjectOf('key', id)]) await ensureBudget(tx, subject, null)
    const older = await endKeysOfLink(tx, { linkId, source, exceptId: id }, now)
    await setLimit(tx, subjectOf('link', linkId), nanoUsdOf(allowanceUsd.toFixed(2)))
    return older
  })
  await passRatesOn(ctx, ended, hash)
  return { key: secret, baseUrl: routerBaseUrl(ctx.config) }
}
