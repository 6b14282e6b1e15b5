import type { listings } from '@callboard/contract'
import { unlessUnavailable } from '@callboard/runtime'
import { issueNonce } from '@callboard/store'
import { isRefusal } from '@callboard/values'
import { claimMessage } from '../claims/claim-message.ts'
import { originRefused } from '../claims/claim-origin.ts'
import { type ListingsHandler, ownerOf } from '../context.ts'
import { payable } from '../domain/mirror/payee.ts'
import { rowsOfOrigin } from '../store/mirror.repository.ts'

/** The message is for the chain on which the origin pays the wallet: a contract wallet is verified there. */
export const claimNonce: ListingsHandler<typeof listings.claimNonce> = async ({ origin, wallet }, ctx) => {
  const refused = originRefused(ctx, origin)
  if (refused) return refused
  const now = ctx.clock.now()
  const issued = await unlessUnavailable(ctx, 'nonce store', () => issueNonce(ctx.counters, 'claim', now))
  if (isRefusal(issued)) return issued
  const known = [...ctx.resources.chains.values()]
  const rows = await rowsOfOrigin(ctx.db, origin)
  const paid = rows.flatMap(payable).find(({ payTo }) => payTo.toLowerCase() === wallet.toLowerCase())
  const chain = known.find(({ network }) => network === paid?.network) ?? known[0]
  if (!chain) throw new Error('No chain is configured')
  const said = { address: wallet, chainId: chain.chainId, nonce: issued.nonce, issuedAtMs: now }
  return { message: claimMessage(ctx, { origin, owner: ownerOf(ctx.caller) }, said) }
}
