import { type listings, STATEMENTS } from '@callboard/contract'
import { chainOf, siweMessage } from '@callboard/evm'
import { unlessUnavailable } from '@callboard/runtime'
import { issueNonce } from '@callboard/store'
import { isoTime, isRefusal } from '@callboard/values'
import type { ListingsHandler } from '../context.ts'

export const payoutNonce: ListingsHandler<typeof listings.payoutNonce> = async ({ wallet }, ctx) => {
  const now = ctx.clock.now()
  const issued = await unlessUnavailable(ctx, 'nonce store', () => issueNonce(ctx.counters, 'publish', now))
  if (isRefusal(issued)) return issued
  const { nonce, expiresAtMs } = issued
  const expiresAt = isoTime(expiresAtMs)
  const { factories, chains } = ctx.resources
  const network = factories.networks.find((one) => factories.last(one)?.state !== 'other')
  if (!wallet || !network) return { nonce, message: null, expiresAt }
  const { host, origin } = new URL(ctx.config.BASE_URL)
  const message = siweMessage({
    domain: host,
    address: wallet,
    statement: STATEMENTS.publish,
    uri: origin,
    chainId: chainOf(chains, network).chainId,
    nonce,
    issuedAt: isoTime(now),
    expirationTime: expiresAt,
  })
  return { nonce, message, expiresAt }
}
