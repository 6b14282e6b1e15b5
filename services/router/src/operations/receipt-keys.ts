import type { router } from '@callboard/contract'
import type { RouterHandler } from '../context.ts'
import { publicJwk } from '../receipts/signing-key.ts'
import { receiptKeys as storedKeys } from '../store/receipt-key.repository.ts'

export const receiptKeys: RouterHandler<typeof router.receiptKeys> = async (_input, { db }) => ({
  keys: (await storedKeys(db)).map(({ publicKey }) => publicJwk(publicKey)),
})
