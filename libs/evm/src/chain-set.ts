import type { Address, Caip2 } from '@callboard/values'
import { type Chain, type DevnetSettings, devnetChain, PUBLIC_CHAINS } from './chains.ts'
import { type AskedConfirmations, confirmationPolicy } from './confirmations.ts'

/** The chains of one run, by CAIP-2, in the order in which they were configured. */
export type ChainSet = ReadonlyMap<Caip2, Chain>

/** Which chains a run serves. */
export interface ChainSetSettings {
  /** Public chains, by CAIP-2. */
  readonly networks?: readonly Caip2[]
  /** Splitter factories of public chains. A chain without one accepts no self-listings. */
  readonly splitterFactories?: Readonly<Record<Caip2, Address>>
  /** The treasuries that those factories were deployed with: each factory has one. */
  readonly splitterTreasuries?: Readonly<Record<Caip2, Address>>
  /** Settlement batch contracts of public chains. A chain without one settles each payment alone. */
  readonly settlementBatches?: Readonly<Record<Caip2, Address>>
  /** The confirmation policies of public chains, where they differ from the chain's own rule. */
  readonly confirmations?: Readonly<Record<Caip2, AskedConfirmations>>
  /** The local chain, in the embedded mode and in tests. */
  readonly devnet?: DevnetSettings
}

/**
 * The chains of a run. A devnet with the id of a public chain replaces that chain, which is how tests imitate Base.
 * @throws Error that names each network that is not in the table, that has a contract but is not served, whose splitter
 * factory has no treasury, or whose confirmation policy asks for something the chain does not have
 */
export function chainSet(settings: ChainSetSettings): ChainSet {
  const { networks = [], splitterFactories = {}, splitterTreasuries = {}, settlementBatches = {}, devnet } = settings
  const { confirmations = {} } = settings
  const known = new Map(PUBLIC_CHAINS.map((chain) => [chain.network, chain]))
  const chains = new Map<Caip2, Chain>()
  const unknown: string[] = []
  for (const network of networks) {
    const chain = known.get(network)
    const splitterFactory = splitterFactories[network]
    const splitterTreasury = splitterTreasuries[network]
    const settlementBatch = settlementBatches[network]
    const contracts = {
      ...(splitterFactory && { splitterFactory }),
      ...(splitterTreasury && { splitterTreasury }),
      ...(settlementBatch && { settlementBatch }),
    }
    if (!chain) unknown.push(network)
    else {
      const confirmation = confirmationPolicy(chain, confirmations[network])
      chains.set(network, { ...chain, ...contracts, confirmation })
    }
  }
  const idle = (contracts: Readonly<Record<string, unknown>>) =>
    Object.keys(contracts).filter((network) => !networks.some((served) => served === network))
  const bare = Object.keys(splitterFactories).filter((network) => !splitterTreasuries[network as Caip2])
  const problems = [
    ...unknown.map((network) => `${network} is not a chain that Callboard knows`),
    ...idle(splitterFactories).map((network) => `${network} has a splitter factory but is not served`),
    ...idle(settlementBatches).map((network) => `${network} has a settlement batch contract but is not served`),
    ...idle(confirmations).map((network) => `${network} has a confirmation policy but is not served`),
    ...bare.map((network) => `${network} has a splitter factory and no treasury: set SPLITTER_TREASURIES`),
  ]
  if (problems.length > 0) throw new Error(problems.join('; '))
  if (devnet) {
    const chain = devnetChain(devnet)
    chains.set(chain.network, chain)
  }
  return chains
}

/**
 * The chain of a network that the run is known to serve.
 * @throws Error when it is not: reaching this with a third party's network is a bug, not a refusal
 */
export function chainOf(chains: ChainSet, network: Caip2): Chain {
  const chain = chains.get(network)
  if (!chain) throw new Error(`${network} is not served here`)
  return chain
}

/** The chain with this name in x402 version 1; undefined when it is not served or has no such name. */
export const chainByV1Name = (chains: ChainSet, v1Name: string): Chain | undefined =>
  [...chains.values()].find((chain) => chain.v1Name === v1Name)
