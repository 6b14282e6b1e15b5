import { artifacts, MULTICALL3, receiptOf, SPLITTER_FEE_BP } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import {
  type Abi,
  createTestClient,
  defineChain,
  getAddress,
  getContract,
  http,
  publicActions,
  walletActions,
} from 'viem'
import { type HDAccount, mnemonicToAccount } from 'viem/accounts'
import { type Anvil, startAnvil } from './anvil.ts'

const MNEMONIC = 'test test test test test test test test test test test junk'

const accounts = new Map<number, HDAccount>()

/** The n-th account of the public development mnemonic, whose key anvil also has. Derived once, since that is slow. */
export function account(addressIndex: number): HDAccount {
  const known = accounts.get(addressIndex) ?? mnemonicToAccount(MNEMONIC, { addressIndex })
  accounts.set(addressIndex, known)
  return known
}

/** Deploys everything and mints. */
export const deployer = account(0).address

/** The network's treasury, from which no test pays. */
export const treasury = account(9).address

const clientOf = (url: string, chainId: number) =>
  createTestClient({
    mode: 'anvil',
    account: deployer,
    chain: defineChain({
      id: chainId,
      name: 'Test',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [url] } },
      contracts: { multicall3: { address: MULTICALL3 } },
    }),
    cacheTime: 0,
    pollingInterval: 10,
    transport: http(url, { batch: true }),
  })
    .extend(publicActions)
    .extend(walletActions)

export type TestChain = ReturnType<typeof clientOf>

/** A fresh chain, and the function that ends it. */
export async function openChain({
  chainId = 31337,
} = {}): Promise<{ readonly chain: TestChain; readonly anvil: Anvil }> {
  const anvil = await startAnvil({ chainId })
  return { chain: clientOf(anvil.url, chainId), anvil }
}

/** Waits for a transaction and verifies that it succeeded. */
export async function mined(chain: TestChain, sent: Promise<Hex>) {
  const receipt = await receiptOf(chain, await sent)
  if (receipt.status !== 'success') throw new Error(`transaction ${receipt.transactionHash} reverted`)
  return receipt
}

/** Deploys a contract from the deployer's account. */
export async function deploy(
  chain: TestChain,
  { abi, bytecode }: { readonly abi: Abi; readonly bytecode: Hex },
  args: readonly unknown[] = [],
): Promise<Address> {
  const { contractAddress } = await mined(chain, chain.deployContract({ abi, bytecode, args }))
  if (!contractAddress) throw new Error('the transaction created no contract')
  return getAddress(contractAddress)
}

export const tokenAt = (chain: TestChain, address: Address) =>
  getContract({ address, abi: artifacts.testUSDC.abi, client: chain })

export const factoryAt = (chain: TestChain, address: Address) =>
  getContract({ address, abi: artifacts.splitterFactory.abi, client: chain })

export const splitterAt = (chain: TestChain, address: Address) =>
  getContract({ address, abi: artifacts.feeSplitter.abi, client: chain })

/** A test USDC and a factory of 5 % splitters for it. */
export async function deployRail(chain: TestChain) {
  const usdc = tokenAt(chain, await deploy(chain, artifacts.testUSDC))
  const args = [usdc.address, treasury, SPLITTER_FEE_BP]
  return { usdc, factory: factoryAt(chain, await deploy(chain, artifacts.splitterFactory, args)) }
}
