import type { OutputOf, router } from '@callboard/contract'
import type { RouterContext } from '../context.ts'
import type { Receipt } from '../domain/receipt.ts'

/** A receipt in the form of an answer. */
export async function signed(
  { resources }: Pick<RouterContext, 'resources'>,
  receipt: Receipt,
): Promise<OutputOf<typeof router.receipt>> {
  const { text, hash } = receipt
  return { receipt: JSON.parse(text), hash, jws: await resources.receipts.sign(receipt) }
}

/** A page of receipts; one more than fits was read. */
export async function signedPage(ctx: Pick<RouterContext, 'resources'>, receipts: readonly Receipt[], limit: number) {
  const page = await Promise.all(receipts.slice(0, limit).map((receipt) => signed(ctx, receipt)))
  return { page, hasMore: receipts.length > limit }
}
