import type { router } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { signedPage } from '../receipts/signed.ts'
import { receiptsAfter } from '../store/receipt.repository.ts'

export const receiptsOfKey: RouterHandler<typeof router.receiptsOfKey> = async ({ id, after, limit }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const found = await receiptsAfter(ctx.db, { keyId: id, owner }, { after, limit: limit + 1 })
  const { page, hasMore } = await signedPage(ctx, found, limit)
  return { receipts: page, hasMore }
}
