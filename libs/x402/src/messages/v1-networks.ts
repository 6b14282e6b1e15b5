import { type Caip2, evmNetwork } from '@callboard/values'

/** Version 1 network names and the chains they denote. */
export type V1Networks = ReadonlyMap<string, Caip2>

const EVM_CHAIN_IDS = {
  abstract: 2741,
  'abstract-testnet': 11124,
  avalanche: 43114,
  'avalanche-fuji': 43113,
  base: 8453,
  'base-sepolia': 84532,
  celo: 42220,
  educhain: 41923,
  ethereum: 1,
  flare: 14,
  iotex: 4689,
  megaeth: 4326,
  monad: 143,
  peaq: 3338,
  polygon: 137,
  'polygon-amoy': 80002,
  sei: 1329,
  'sei-testnet': 1328,
  sepolia: 11155111,
  'skale-base-sepolia': 324705682,
  stable: 988,
  'stable-testnet': 2201,
  story: 1514,
}

/**
 * The public version 1 names. Arc has none, so Arc is version 2 only. The caller adds a devnet: `new
 * Map([...V1_NETWORKS, ['devnet', 'eip155:31337']])`. The Solana names are known only so that such offers can be shown;
 * they are not payable.
 * @source x402 v1 SDKs, chain id map
 */
export const V1_NETWORKS: V1Networks = new Map<string, Caip2>([
  ...Object.entries(EVM_CHAIN_IDS).map(([name, chainId]) => [name, evmNetwork(chainId)] as const),
  ['solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['solana-devnet', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
])

/** The version 1 name of a chain, or undefined for a chain that version 1 cannot name. */
export function v1NetworkName(network: Caip2, networks: V1Networks = V1_NETWORKS): string | undefined {
  for (const [name, chain] of networks) if (chain === network) return name
  return undefined
}
