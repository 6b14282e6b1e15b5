import { callsOf, type Edges, type Named } from './paid-edge.ts'

const FEWEST_CALLS = 40
const OF_SELLER = 0.9
const OF_PAYER = 0.9
/** This many other payers that also pay other sellers show that the seller has customers. */
const CUSTOMERS = 5
/** They must also make this share of its calls. */
const OF_CUSTOMERS = 0.015

/** One wallet that makes a seller’s calls, and hardly any others. A real customer buys elsewhere or is not alone. */
export function onePayer({ byPayee, byPayer }: Edges): Named {
  const named = new Map<Edges['edges'][number], { calls: number; share: number }>()
  for (const edges of byPayee.values()) {
    const all = callsOf(edges)
    const busiest = edges.reduce((most, edge) => (edge.calls > most.calls ? edge : most))
    const share = busiest.calls / all
    if (busiest.calls < FEWEST_CALLS || share < OF_SELLER) continue
    if (busiest.calls / callsOf(byPayer.get(busiest.payer) ?? []) < OF_PAYER) continue
    const customers = edges.filter(({ payer }) => (byPayer.get(payer)?.length ?? 0) > 1 && payer !== busiest.payer)
    const hasCustomers = customers.length >= CUSTOMERS && callsOf(customers) / all >= OF_CUSTOMERS
    if (!hasCustomers) named.set(busiest, { calls: busiest.calls, share })
  }
  return named
}
