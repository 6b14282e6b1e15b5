import { callsOf, type Edges, type Named, type PaidEdge, volumeShare } from './paid-edge.ts'

const FEWEST_CALLS = 40
const OF_SELLER = 0.9
const OF_PAYER = 0.9
/** This many other payers that also pay other sellers show that the seller has customers. */
const CUSTOMERS = 5
/** They must also bring this share of its volume. */
const OF_CUSTOMERS = 0.015

/** What an edge is of its payer’s payments, in calls or in volume, whichever is more: a few of next to nothing cost nothing. */
const shareOfPayer = (edge: PaidEdge, all: readonly PaidEdge[]): number =>
  Math.max(edge.calls / callsOf(all), volumeShare([edge], all))

/** One wallet that brings a seller’s volume, and hardly any other’s. A real customer buys elsewhere or is not alone. */
export function onePayer({ byPayee, byPayer }: Edges): Named {
  const named = new Map<Edges['edges'][number], { calls: number; share: number }>()
  for (const edges of byPayee.values()) {
    const busiest = edges.reduce((most, edge) => (edge.volume > most.volume ? edge : most))
    const share = volumeShare([busiest], edges)
    if (busiest.calls < FEWEST_CALLS || share < OF_SELLER) continue
    if (shareOfPayer(busiest, byPayer.get(busiest.payer) ?? [busiest]) < OF_PAYER) continue
    const customers = edges.filter(({ payer }) => (byPayer.get(payer)?.length ?? 0) > 1 && payer !== busiest.payer)
    const hasCustomers = customers.length >= CUSTOMERS && volumeShare(customers, edges) >= OF_CUSTOMERS
    if (!hasCustomers) named.set(busiest, { calls: busiest.calls, share })
  }
  return named
}
