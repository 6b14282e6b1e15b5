import { type Edges, type Named, TEST_CALLS } from './paid-edge.ts'

/** A seller that pays itself: at the same address, or at another address of the same listing. */
export function selfPay({ edges, sellerAt }: Edges): Named {
  const isSelf = ({ payer, payTo }: { payer: string; payTo: string }) => {
    const seller = sellerAt.get(payTo)
    return payer === payTo || (seller !== undefined && sellerAt.get(payer) === seller)
  }
  const own = edges.filter((edge) => edge.calls > TEST_CALLS && isSelf(edge))
  return new Map(own.map((edge) => [edge, { calls: edge.calls, wallet: edge.payer }]))
}
