import { type listings, STATEMENTS } from '@callboard/contract'
import { hasSplitters, siweMessage } from '@callboard/evm'
import { issueNonce } from '@callboard/store'
import { isoTime } from '@callboard/values'
import type { ListingsHandler } from '../kit.ts'

export const payoutNonce: ListingsHandler<typeof listings.payoutNonce> = async ({ wallet }, ctx) => {
  const now = ctx.clock.now()
  const { nonce, expiresAtMs } = await issueNonce(ctx.counters, 'publish', now)
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
