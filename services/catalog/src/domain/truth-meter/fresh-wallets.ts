import { type Edges, type Named, volumeShare } from './paid-edge.ts'

const FEWEST_WALLETS = 25
const MOST_CALLS = 5
const OF_SELLER = 0.75

/**
 * Many wallets that each pay one seller a few times and no other at all. On the day of a launch many wallets are new to
 * the seller as well, but not to everyone: they pay others, or stay.
 */
export function freshWallets({ byPayee, byPayer }: Edges): Named {
  const named = new Map<Edges['edges'][number], { wallets: number; share: number }>()
  for (const edges of byPayee.values()) {
    if (edges.length < FEWEST_WALLETS) continue
    const fresh = edges.filter(({ payer, calls }) => calls <= MOST_CALLS && byPayer.get(payer)?.length === 1)
    const share = volumeShare(fresh, edges)
    if (fresh.length < FEWEST_WALLETS || share < OF_SELLER) continue
    for (const edge of fresh) named.set(edge, { wallets: fresh.length, share })
  }
  return named
}
