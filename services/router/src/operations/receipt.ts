import type { router } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { hashSecret } from '../keys/credential.ts'
import { signed } from '../receipts/signed.ts'
import { keyByHash } from '../store/key.repository.ts'
import { receiptOfCall } from '../store/receipt.repository.ts'

/** A call under way is not unpaid: it is said to be under way. */
export const receipt: RouterHandler<typeof router.receipt> = async ({ routerKey, id }, ctx) => {
  const key = await keyByHash(ctx.db, hashSecret(routerKey))
  if (!key) return refuse('unauthorized')
  const found = await receiptOfCall(ctx.db, { keyId: key.id }, id)
  if (found === 'held') return refuse('call_under_way', { retryAfterSeconds: 1 })
  return found ? signed(ctx, found) : refuse('not_found')
}
