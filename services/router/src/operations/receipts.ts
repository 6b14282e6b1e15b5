import type { router } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { hashSecret } from '../keys/credential.ts'
import { signedPage } from '../receipts/signed.ts'
import { keyByHash } from '../store/key.repository.ts'
import { receiptsAfter } from '../store/receipt.repository.ts'

export const receipts: RouterHandler<typeof router.receipts> = async ({ routerKey, after, limit }, ctx) => {
  const key = await keyByHash(ctx.db, hashSecret(routerKey))
  if (!key) return refuse('unauthorized')
  const found = await receiptsAfter(ctx.db, { keyId: key.id }, { after, limit: limit + 1 })
  const { page, hasMore } = await signedPage(ctx, found, limit)
  return { object: 'list', data: page, has_more: hasMore }
}
