import type { Address, Caip2 } from '@callboard/values'
import type { PublicClient } from 'viem'
import { erc20Abi } from './abis.ts'
import type { ChainSet } from './chain-set.ts'
import type { Chain } from './chains.ts'
import { type ChainClients, clientOf } from './client.ts'
import { isOurSplitter, predictSplitter, splitterImplementation } from './splitter.ts'

/** A payout wallet's splitter on one chain, as it is on the chain now. */
export interface SplitterState {
  readonly network: Caip2
  readonly address: Address
  readonly factory: Address
  /** Whether the code at `address` is our splitter for exactly this wallet. */
  readonly deployed: boolean
  /** USDC held there, in base units. It may hold some before it is deployed. */
  readonly balanceBaseUnits: bigint
}

/** A chain on which providers can have splitters. */
export type SplitterChain = Chain & { readonly splitterFactory: Address }

export const hasSplitters = (chain: Chain): chain is SplitterChain => chain.splitterFactory !== undefined

/**
 * Reads code and balance of a wallet's splitter in one round trip: both reads are sent in one JSON-RPC batch.
 * @param client one of `chainClients`, whose transport batches
 * @throws viem's errors when the node cannot be read
 */
export async function readSplitterState(
  client: PublicClient,
  chain: SplitterChain,
  wallet: Address,
): Promise<SplitterState> {
  const factory = chain.splitterFactory
  const implementation = splitterImplementation(factory)
  const address = predictSplitter(factory, wallet, implementation)
  const [code, balanceBaseUnits] = await Promise.all([
    client.getCode({ address }),
    client.readContract({ address: chain.usdc.address, abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
  ])
  return {
    network: chain.network,
    address,
    factory,
    deployed: isOurSplitter(code, implementation, wallet),
    balanceBaseUnits,
  }
}

/** The wallet's splitters on all chains of the run with a factory, in one round trip each, concurrently. */
export const readSplitterStates = (
  clients: ChainClients,
  chains: ChainSet,
  wallet: Address,
): Promise<readonly SplitterState[]> =>
  Promise.all(
    [...chains.values()]
      .filter(hasSplitters)
      .map((chain) => readSplitterState(clientOf(clients, chain.network), chain, wallet)),
  )
