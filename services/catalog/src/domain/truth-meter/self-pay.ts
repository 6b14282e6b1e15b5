import { type Edges, edgeName, type Named, TEST_CALLS } from './paid-edge.ts'

/** A seller that pays itself: at the same address, or at another address of the same listing. */
export function selfPay({ edges, withinSellers }: Edges): Named {
  const isSelf = (edge: Edges['edges'][number]) => edge.payer === edge.payTo || withinSellers.has(edgeName(edge))
  const own = edges.filter((edge) => edge.calls > TEST_CALLS && isSelf(edge))
  return new Map(own.map((edge) => [edge, { calls: edge.calls, wallet: edge.payer }]))
}
