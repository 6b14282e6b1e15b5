import { type Edges, type Named, type PaidEdge, volumeShare } from './paid-edge.ts'

const FEWEST_CALLS = 60
const HURRIED = 0.8
const MOST_DAYS = 2
const OF_SELLER = 0.5

/** Whether a wallet makes many calls within minutes, on one or two days, and is silent otherwise. */
const isBurst = ({ calls, hurried, days }: PaidEdge): boolean =>
  calls >= FEWEST_CALLS && hurried / calls >= HURRIED && days <= MOST_DAYS

/**
 * Calls that come only in bursts of minutes, to a seller that lives on them. Genuine batch work recurs, from wallets
 * that also pay others, to sellers with other customers.
 */
export function burst({ byPayee, byPayer }: Edges): Named {
  const named = new Map<PaidEdge, { calls: number; slots: number }>()
  for (const edges of byPayee.values()) {
    const bursts = edges.filter((edge) => isBurst(edge) && (byPayer.get(edge.payer)?.length ?? 0) <= 1)
    if (volumeShare(bursts, edges) < OF_SELLER) continue
    for (const edge of bursts) named.set(edge, { calls: edge.calls, slots: edge.slots })
  }
  return named
}
