import { type ChainSet, chainOf, hasSplitters, predictSplitter } from '@callboard/evm'
import type { Address, Caip2 } from '@callboard/values'
import type { Listing, OtherSplitter } from './domain/listing.ts'
import type { Terms } from './domain/offer.ts'

/** How a listing wants to be paid on its chain. */
export function termsOf(
  { network, splitter, otherSplitters }: Pick<Listing, 'network' | 'splitter' | 'otherSplitters'>,
  chains: ChainSet,
): Terms {
  const { usdc } = chainOf(chains, network)
  return { network, asset: usdc.address, decimals: usdc.decimals, payTo: splitter.address, otherSplitters }
}

/** The predicted addresses of a wallet's splitters on chains other than its listing's. */
export const predictedElsewhere = (chains: ChainSet, network: Caip2, wallet: Address): OtherSplitter[] =>
  [...chains.values()]
    .filter(hasSplitters)
    .filter((chain) => chain.network !== network)
    .map((chain) => ({ network: chain.network, address: predictSplitter(chain.splitterFactory, wallet) }))
