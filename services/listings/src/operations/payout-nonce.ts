import { type listings, STATEMENTS } from '@callboard/contract'
import { hasSplitters, siweMessage } from '@callboard/evm'
import { issueNonce } from '@callboard/store'
import { isoTime, isRefusal } from '@callboard/values'
import type { ListingsHandler } from '../kit.ts'
import { unlessAway } from '../unless-away.ts'

export const payoutNonce: ListingsHandler<typeof listings.payoutNonce> = async ({ wallet }, ctx) => {
  const now = ctx.clock.now()
  const issued = await unlessAway(ctx, 'nonce store', () => issueNonce(ctx.counters, 'publish', now))
  if (isRefusal(issued)) return issued
  const { nonce, expiresAtMs } = issued
  const expiresAt = isoTime(expiresAtMs)
  const chain = [...ctx.parts.chains.values()].find(hasSplitters)
  if (!wallet || !chain) return { nonce, message: null, expiresAt }
  const { host, origin } = new URL(ctx.config.BASE_URL)
  const message = siweMessage({
    domain: host,
    address: wallet,
    statement: STATEMENTS.publish,
    uri: origin,
    chainId: chain.chainId,
    nonce,
    issuedAt: isoTime(now),
    expirationTime: expiresAt,
  })
  return { nonce, message, expiresAt }
}
