import { type Edges, type Named, TEST_CALLS } from './paid-edge.ts'

/** A payer that submits its own payments alone is no facilitator: that settles for others. */
const OTHER_PAYERS = 5

/** Calls that a facilitator made itself, which cost it nothing but gas when the seller is its own. */
export function facilitatorsOwn({ edges, settlesFor }: Edges): Named {
  const own = edges.filter(({ payer, calls }) => calls > TEST_CALLS && (settlesFor.get(payer) ?? 0) >= OTHER_PAYERS)
  return new Map(own.map((edge) => [edge, { calls: edge.calls, payers: settlesFor.get(edge.payer) ?? 0 }]))
}
