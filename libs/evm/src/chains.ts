import { type Address, type Caip2, evmNetwork, USDC_DECIMALS } from '@callboard/values'
import type { ConfirmationPolicy } from '@callboard/x402'
import { type AskedConfirmations, confirmationPolicy } from './confirmations.ts'

/** The one asset that is used for payment on a chain. `name` and `version` are those of its EIP-712 domain. */
export interface UsdcToken {
  readonly address: Address
  readonly name: string
  readonly version: string
  readonly decimals: number
}

/** What Callboard knows of a chain without asking a node. */
export interface Chain {
  /** CAIP-2, for example "eip155:8453". */
  readonly network: Caip2
  readonly name: string
  readonly chainId: number
  readonly usdc: UsdcToken
  /** The chain's name in x402 version 1. Absent where version 1 has none; then only version 2 payments are possible. */
  readonly v1Name?: string
  /** Expected time between blocks, in milliseconds. */
  readonly blockTimeMs: number
  /** `instant`: a block never vanishes. `tags`: follow the node's `safe` and `finalized` tags. */
  readonly finality: 'instant' | 'tags'
  /** Blocks below the tip whose hashes are watched for a reorganization; 0 where finality is instant. */
  readonly finalityDepth: number
  /** How often the sequencer reports the block that it is building, in milliseconds. Absent: never. */
  readonly preconfirmationMs?: number
  /** From which confirmation a settlement counts. */
  readonly confirmation: ConfirmationPolicy
  /** The lowest `maxFeePerGas` that the chain accepts, in wei. */
  readonly minMaxFeePerGas?: bigint
  readonly multicall3: Address
  /** The contract that creates fee splitters. Absent: providers cannot list themselves on this chain. */
  readonly splitterFactory?: Address
  /** To whom that factory's splitters pay the network's share. Absent on a local chain where it does not matter. */
  readonly splitterTreasury?: Address
  /** The contract that settles payments that wait together in one transaction. Absent: each has its own. */
  readonly settlementBatch?: Address
}

/** Multicall contract for batched reads, at the same address on all chains we serve. */
export const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

const GWEI = 1_000_000_000n

/** On Arc, USDC is the gas coin, too: 18 decimals as value and gas, 6 through this ERC-20 view. */
const ARC_USDC: UsdcToken = {
  address: '0x3600000000000000000000000000000000000000',
  name: 'USDC',
  version: '2',
  decimals: USDC_DECIMALS,
}

/** Base keeps 128 hashes, more than the about 60 blocks that `safe` lags behind. Its Flashblocks come every 200 ms. */
const BASE_BLOCKS = {
  blockTimeMs: 2000,
  finality: 'tags',
  finalityDepth: 128,
  preconfirmationMs: 200,
  multicall3: MULTICALL3,
} as const

/** Arc's blocks are final as soon as they exist, and its base fee never falls below 20 gwei. */
const ARC_BLOCKS = {
  blockTimeMs: 500,
  finality: 'instant',
  finalityDepth: 0,
  minMaxFeePerGas: 20n * GWEI,
  multicall3: MULTICALL3,
} as const

const CHAINS: readonly Omit<Chain, 'confirmation'>[] = [
  {
    network: 'eip155:8453',
    name: 'Base',
    chainId: 8453,
    usdc: {
      address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      name: 'USD Coin',
      version: '2',
      decimals: USDC_DECIMALS,
    },
    v1Name: 'base',
    ...BASE_BLOCKS,
  },
  {
    network: 'eip155:84532',
    name: 'Base Sepolia',
    chainId: 84532,
    usdc: {
      address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      name: 'USDC',
      version: '2',
      decimals: USDC_DECIMALS,
    },
    v1Name: 'base-sepolia',
    ...BASE_BLOCKS,
  },
  { network: 'eip155:5042', name: 'Arc', chainId: 5042, usdc: ARC_USDC, ...ARC_BLOCKS },
  { network: 'eip155:5042002', name: 'Arc Testnet', chainId: 5042002, usdc: ARC_USDC, ...ARC_BLOCKS },
]

/** The public chains that Callboard can serve, each with its own confirmation policy. */
export const PUBLIC_CHAINS: readonly Chain[] = CHAINS.map((chain) => ({
  ...chain,
  confirmation: confirmationPolicy(chain),
}))

/** The settings that a local chain brings when it starts. */
export interface DevnetSettings {
  readonly usdc: Address
  readonly splitterFactory: Address
  /** Default none: the factory's treasury is not checked. */
  readonly splitterTreasury?: Address | undefined
  /** Default none: each payment is settled in its own transaction. */
  readonly settlementBatch?: Address
  /** Default 31337. */
  readonly chainId?: number
  /** Default "Devnet". */
  readonly name?: string
  /** Default "USDC", our test token's default name. */
  readonly usdcName?: string
  /** Default none: x402 version 1 has no name for a devnet. An imitation of Base uses "base". */
  readonly v1Name?: string
  /** Default 1000. */
  readonly blockTimeMs?: number
  /** Default `instant`: one node that mines alone takes nothing back. Tests of reorganizations use `tags`. */
  readonly finality?: Chain['finality']
  /** Default 0 with `instant`, 64 with `tags`: anvil's `finalized` is 64 blocks behind its tip. */
  readonly finalityDepth?: number | undefined
  /** Default none: its node gives no receipts for a block that is being built. */
  readonly preconfirmationMs?: number | undefined
  /** Default: that of any chain with its finality. */
  readonly confirmation?: AskedConfirmations | undefined
}

/**
 * The entry of a local chain, from what was deployed at its start.
 * @throws Error where its confirmation policy asks for something the chain does not have
 */
export function devnetChain(settings: DevnetSettings): Chain {
  const { chainId = 31337, name = 'Devnet', usdcName = 'USDC', blockTimeMs = 1000, finality = 'instant' } = settings
  const { v1Name, splitterTreasury, settlementBatch, preconfirmationMs } = settings
  const network = evmNetwork(chainId)
  return {
    network,
    name,
    chainId,
    usdc: { address: settings.usdc, name: usdcName, version: '2', decimals: USDC_DECIMALS },
    ...(v1Name !== undefined && { v1Name }),
    blockTimeMs,
    finality,
    finalityDepth: settings.finalityDepth ?? (finality === 'instant' ? 0 : 64),
    ...(preconfirmationMs !== undefined && { preconfirmationMs }),
    confirmation: confirmationPolicy({ network, finality, preconfirmationMs }, settings.confirmation),
    multicall3: MULTICALL3,
    splitterFactory: settings.splitterFactory,
    ...(splitterTreasury !== undefined && { splitterTreasury }),
    ...(settlementBatch !== undefined && { settlementBatch }),
  }
}
