import { artifacts, PUBLIC_CHAINS, SPLITTER_FEE_BP, splitterFactoryFault } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import {
  concat,
  encodeDeployData,
  getContractAddress,
  getCreate2Address,
  keccak256,
  type PublicClient,
  pad,
} from 'viem'

/**
 * The account through which anyone deploys by CREATE2: calldata is a salt and creation code. It has this address on
 * every chain that we serve; anvil includes it.
 * @source https://github.com/Arachnid/deterministic-deployment-proxy
 */
export const CREATE2_DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** Part of the addresses, like the table of tokens: neither may change once a factory is in use. */
const SALT = pad('0x', { size: 32 })

/** The USDC of one chain. */
export interface ChainToken {
  readonly chainId: number
  readonly usdc: Address
}

/** Everything that determines the factory's address. The same on every chain. */
export interface DeploymentPlan {
  readonly treasury: Address
  readonly feeBp: number
  /** In this order, and with every chain that should have the address. */
  readonly tokens: readonly ChainToken[]
}

/** The USDC of the chains that Callboard knows, in order of their ids. */
export const PUBLIC_TOKENS: readonly ChainToken[] = PUBLIC_CHAINS.map(({ chainId, usdc }) => ({
  chainId,
  usdc: usdc.address,
})).toSorted((left, right) => left.chainId - right.chainId)

/** One creation by CREATE2: its address, and the transaction that creates it. */
export interface Creation {
  readonly contract: 'SplitterDeployment' | 'SettlementBatch'
  readonly address: Address
  /** ABI-encoded constructor arguments, in the form that block explorers require. */
  readonly constructorArguments: Hex
  readonly transaction: { readonly to: Address; readonly data: Hex }
}

/** What is deployed on every chain of a plan, and where: no address depends on the chain or the sender. */
export function deploymentOf({ treasury, feeBp = SPLITTER_FEE_BP, tokens }: DeploymentPlan) {
  const chains = tokens.map(({ chainId, usdc }) => ({ chainId: BigInt(chainId), usdc }))
  const args = [chains, treasury, feeBp] as const
  const deployment = creation('SplitterDeployment', artifacts.splitterDeployment.bytecode, (bytecode) =>
    encodeDeployData({ abi: artifacts.splitterDeployment.abi, bytecode, args }),
  )
  const batch = creation('SettlementBatch', artifacts.settlementBatch.bytecode, (bytecode) => bytecode)
  return {
    creations: [deployment, batch] as const,
    /** The deployment's first creation. */
    splitterFactory: getContractAddress({ from: deployment.address, nonce: 1n }),
    settlementBatch: batch.address,
  }
}

function creation(contract: Creation['contract'], bytecode: Hex, whole: (bytecode: Hex) => Hex): Creation {
  const code = whole(bytecode)
  return {
    contract,
    address: getCreate2Address({ from: CREATE2_DEPLOYER, salt: SALT, bytecodeHash: keccak256(code) }),
    constructorArguments: `0x${code.slice(bytecode.length)}`,
    transaction: { to: CREATE2_DEPLOYER, data: concat([SALT, code]) },
  }
}

/**
 * Returns what is wrong with a chain before anything is deployed there, in words; undefined when it is suitable.
 * @throws viem's errors when the node cannot be read
 */
export async function unfit(client: PublicClient, { tokens }: DeploymentPlan): Promise<string | undefined> {
  const chainId = await client.getChainId()
  const token = tokens.find((one) => one.chainId === chainId)
  if (!token) return `chain ${chainId} is not in the table of tokens`
  const [deployer, usdc] = await Promise.all(
    [CREATE2_DEPLOYER, token.usdc].map((address) => client.getCode({ address })),
  )
  if (!deployer) return `chain ${chainId} has no CREATE2 deployer at ${CREATE2_DEPLOYER}`
  return usdc ? undefined : `chain ${chainId} has no token at ${token.usdc}`
}

/**
 * Checks that a chain has what the plan says, byte for byte, as services do at their start.
 * @returns what is wrong, in words
 */
export async function deploymentFault(client: PublicClient, plan: DeploymentPlan): Promise<string | undefined> {
  const chainId = await client.getChainId()
  const { splitterFactory, settlementBatch } = deploymentOf(plan)
  const token = plan.tokens.find((one) => one.chainId === chainId)
  if (!token) return `chain ${chainId} is not in the table of tokens`
  const batch = await client.getCode({ address: settlementBatch })
  if (batch !== artifacts.settlementBatch.deployedBytecode) return `there is no settlement batch at ${settlementBatch}`
  return splitterFactoryFault(client, {
    splitterFactory,
    splitterTreasury: plan.treasury,
    usdc: { address: token.usdc },
  })
}
