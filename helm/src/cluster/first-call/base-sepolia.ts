import { type Devnet, openDevnet } from '@callboard/embedded'
import { artifacts, PUBLIC_CHAINS } from '@callboard/evm'
import { createTestClient, http, pad, parseEther, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'

const CHAIN_ID = 84_532
const GAS = parseEther('1')
const A_FEW_USDC = 5_000_000n

/** A private chain instead of Base Sepolia, and the accounts that a newcomer brings. */
export interface ImitatedChain {
  readonly rpcUrl: string
  /** The key of an account with gas. */
  readonly facilitatorKey: string
  /** The key of an account with USDC. */
  readonly buyerKey: string
  stop(): Promise<void>
}

/** Starts a node with Base Sepolia's chain id, with our test token at the address of Circle’s. */
export async function imitateBaseSepolia(log: (line: string) => void): Promise<ImitatedChain> {
  const usdc = PUBLIC_CHAINS.find(({ chainId }) => chainId === CHAIN_ID)?.usdc
  if (!usdc) throw new Error('Base Sepolia is no chain that is known.')
  const node = await openDevnet({ chainId: CHAIN_ID, log })
  const [facilitatorKey, buyerKey] = [generatePrivateKey(), generatePrivateKey()]
  await give(node, usdc.address, { gasTo: privateKeyToAddress(facilitatorKey), usdcTo: privateKeyToAddress(buyerKey) })
  return { rpcUrl: node.rpcUrl, facilitatorKey, buyerKey, stop: () => node.stop() }
}

type Address = `0x${string}`

async function give(node: Devnet, token: Address, { gasTo, usdcTo }: { gasTo: Address; usdcTo: Address }) {
  const transport = http(node.rpcUrl)
  const chain = createTestClient({ mode: 'anvil', transport }).extend(publicActions).extend(walletActions)
  const [minter] = await chain.getAddresses()
  if (!minter) throw new Error('The node has no accounts.')
  await chain.setBalance({ address: gasTo, value: GAS })
  await chain.setCode({ address: token, bytecode: artifacts.testUSDC.deployedBytecode })
  await chain.setStorageAt({ address: token, index: 0, value: pad(minter) })
  const { abi } = artifacts.testUSDC
  const hash = await chain.writeContract({
    ...{ chain: null, account: minter, address: token, abi },
    functionName: 'mint',
    args: [usdcTo, A_FEW_USDC],
  })
  await chain.waitForTransactionReceipt({ hash })
}
