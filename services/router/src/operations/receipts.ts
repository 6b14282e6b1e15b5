import type { router } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { readerOf } from '../receipts/reader.ts'
import { signedPage } from '../receipts/signed.ts'
import { receiptsAfter } from '../store/receipt.repository.ts'

export const receipts: RouterHandler<typeof router.receipts> = async ({ after, limit, ...credentials }, ctx) => {
  const key = await readerOf(ctx, credentials)
  if (isRefusal(key)) return key
  const found = key ? await receiptsAfter(ctx.db, { keyId: key.id }, { after, limit: limit + 1 }) : []
  const { page, hasMore } = await signedPage(ctx, found, limit)
  return { object: 'list', data: page, has_more: hasMore }
}
