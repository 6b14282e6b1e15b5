import { type Edges, type Named, TEST_CALLS } from './paid-edge.ts'

/** A payer that submits only its own payments is not a facilitator, which settles for others. */
const OTHER_PAYERS = 5

/** A facilitator's own calls, which cost it nothing but gas if the seller is its own. */
export function facilitatorsOwn({ edges, settlesFor }: Edges): Named {
  const own = edges.filter(({ payer, calls }) => calls > TEST_CALLS && (settlesFor.get(payer) ?? 0) >= OTHER_PAYERS)
  return new Map(own.map((edge) => [edge, { calls: edge.calls, payers: settlesFor.get(edge.payer) ?? 0 }]))
}
