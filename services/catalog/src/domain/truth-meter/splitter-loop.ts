import { type Edges, type Named, TEST_CALLS } from './paid-edge.ts'

/** Money that a splitter pays out to the wallet that paid it, so that it circulates. */
export function splitterLoop({ edges, walletBehind }: Edges): Named {
  const loops = edges.filter(({ payer, payTo, calls }) => calls > TEST_CALLS && walletBehind.get(payTo) === payer)
  return new Map(loops.map((edge) => [edge, { calls: edge.calls, wallet: edge.payer }]))
}
