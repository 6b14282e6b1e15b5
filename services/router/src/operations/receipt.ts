import type { router } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { readerOf } from '../receipts/reader.ts'
import { signed } from '../receipts/signed.ts'
import { receiptOfCall } from '../store/receipt.repository.ts'

/** A call under way is answered as such, not as unknown. */
export const receipt: RouterHandler<typeof router.receipt> = async ({ id, ...credentials }, ctx) => {
  const key = await readerOf(ctx, credentials)
  if (isRefusal(key)) return key
  const found = key && (await receiptOfCall(ctx.db, { keyId: key.id }, id))
  if (found === 'held') return refuse('call_under_way', { retryAfterSeconds: 1 })
  return found ? signed(ctx, found) : refuse('not_found')
}
