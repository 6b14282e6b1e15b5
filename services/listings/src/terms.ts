import { type ChainSet, chainOf } from '@callboard/evm'
import type { Listing } from './domain/listing.ts'
import type { Terms } from './domain/offer.ts'

/** How a listing wants to be paid on its chain. */
export function termsOf({ network, splitter }: Pick<Listing, 'network' | 'splitter'>, chains: ChainSet): Terms {
  const { usdc } = chainOf(chains, network)
  return { network, asset: usdc.address, decimals: usdc.decimals, payTo: splitter.address }
}
