import { artifacts, MULTICALL3, receiptOf, SPLITTER_FEE_BP, type UsdcToken } from '@callboard/evm'
import { type Address, baseUnits, type Hex, USDC_DECIMALS } from '@callboard/values'
import {
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  http,
  parseEther,
  publicActions,
  walletActions,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { DEVNET_MNEMONIC } from './anvil.ts'

/** What stands on the devnet before anyone uses it. */
export interface DevnetContracts {
  readonly usdc: UsdcToken
  readonly splitterFactory: Address
  /** Receives the network's share of every splitter. */
  readonly treasury: Address
  readonly stakeToken: Address
  readonly stake: Address
  readonly burnLedger: Address
  readonly settlementBatch: Address
  readonly multicall3: Address
  /** The ten accounts of the mnemonic, with ether, test USDC and stake tokens. Their nonces are untouched. */
  readonly accounts: readonly Address[]
}

/** Test USDC of each of the ten accounts, in whole dollars. */
export const DEVNET_USDC = '10000'

/** Stake tokens of each of the ten accounts, in whole tokens. */
const STAKE_TOKENS = '1000000'

/** Accounts of the mnemonic far above those that people use. */
const account = (addressIndex: number): Address => mnemonicToAccount(DEVNET_MNEMONIC, { addressIndex }).address

const GAS = 6_000_000n

interface Step {
  readonly to?: Address
  readonly data: Hex
}

/**
 * Puts our contracts on a development node and gives the first ten accounts their money.
 * The work is one fixed list of transactions of one account that does nothing else, so its nonce says how far it is: a
 * start after any interruption goes on there, nothing is deployed or minted twice, and the addresses are always the same.
 * New steps go to the end of the list.
 */
export async function deployContracts(rpcUrl: string): Promise<DevnetContracts> {
  const node = devnetNode(rpcUrl)
  const [deployer, treasury] = [account(1_000), account(1_001)]
  const accounts = (await node.getAddresses()).slice(0, 10)
  const contracts = { ...addresses(deployer, accounts.length), treasury, multicall3: MULTICALL3, accounts }
  const done = await node.getTransactionCount({ address: deployer })
  const left = steps(contracts).slice(done)
  await node.setCode({ address: MULTICALL3, bytecode: artifacts.multicall3.deployedBytecode })
  if (left.length > 0) {
    await node.setBalance({ address: deployer, value: parseEther('1000') })
    await node.impersonateAccount({ address: deployer })
    const hashes = await Promise.all(left.map((step, at) => send(node, deployer, done + at, step)))
    // anvil may leave one that came before its turn in the pool until another comes: a block takes it.
    await node.mine({ blocks: 1 })
    await Promise.all(hashes.map((hash) => mined(node, hash)))
    await node.stopImpersonatingAccount({ address: deployer })
  }
  await requireCode(node, contracts)
  return contracts
}

type Node = ReturnType<typeof devnetNode>

const devnetNode = (rpcUrl: string) =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl), pollingInterval: 50 })
    .extend(publicActions)
    .extend(walletActions)

/** The contracts' addresses follow from the deployer and the place of their creation in the list of `steps`. */
function addresses(deployer: Address, accounts: number) {
  const at = (nonce: bigint) => getContractAddress({ from: deployer, nonce })
  const usdc = { address: at(0n), name: 'USDC', version: '2', decimals: USDC_DECIMALS }
  const afterMints = 5n + 2n * BigInt(accounts)
  return {
    ...{ usdc, splitterFactory: at(1n), stakeToken: at(2n), stake: at(3n), burnLedger: at(4n) },
    settlementBatch: at(afterMints),
  }
}

function steps({ usdc, treasury, stakeToken, accounts }: DevnetContracts): readonly Step[] {
  const { testUSDC, splitterFactory, testStakeToken, testStake, burnLedger, settlementBatch } = artifacts
  const mint = (token: Address, to: Address, amount: bigint): Step => ({
    to: token,
    data: encodeFunctionData({ abi: testUSDC.abi, functionName: 'mint', args: [to, amount] }),
  })
  return [
    { data: encodeDeployData({ ...testUSDC, args: [] }) },
    { data: encodeDeployData({ ...splitterFactory, args: [usdc.address, treasury, SPLITTER_FEE_BP] }) },
    { data: encodeDeployData({ ...testStakeToken, args: [] }) },
    { data: encodeDeployData({ ...testStake, args: [stakeToken] }) },
    { data: encodeDeployData({ ...burnLedger, args: [stakeToken] }) },
    ...accounts.map((to) => mint(usdc.address, to, baseUnits(DEVNET_USDC, USDC_DECIMALS) ?? 0n)),
    ...accounts.map((to) => mint(stakeToken, to, parseEther(STAKE_TOKENS))),
    { data: settlementBatch.bytecode },
  ]
}

const send = (node: Node, from: Address, nonce: number, step: Step): Promise<Hex> =>
  node.sendTransaction({ account: from, chain: null, nonce, gas: GAS, ...step })

async function mined(node: Node, hash: Hex): Promise<void> {
  const { status } = await receiptOf(node, hash)
  if (status !== 'success')
    throw new Error(`The devnet reverted the set-up transaction ${hash}; remove its chain state.`)
}

/** Throws when the chain was set up by another version of the contracts, whose addresses are the same. */
async function requireCode(node: Node, contracts: DevnetContracts): Promise<void> {
  const expected: readonly (readonly [Address, Hex])[] = [
    [contracts.usdc.address, artifacts.testUSDC.deployedBytecode],
    [contracts.splitterFactory, artifacts.splitterFactory.deployedBytecode],
    [contracts.stakeToken, artifacts.testStakeToken.deployedBytecode],
    [contracts.stake, artifacts.testStake.deployedBytecode],
    [contracts.burnLedger, artifacts.burnLedger.deployedBytecode],
    [contracts.settlementBatch, artifacts.settlementBatch.deployedBytecode],
  ]
  const found = await Promise.all(expected.map(([address]) => node.getCode({ address })))
  if (expected.every(([, code], at) => isCodeOf(found[at], code))) return
  throw new Error('The devnet holds other contracts than this version deploys: remove the data folder and start again.')
}

/** Compares code with what the compiler made, in which immutable values are zero and so match anything. */
function isCodeOf(found: Hex | undefined, compiled: Hex): boolean {
  if (found?.length !== compiled.length) return false
  for (let at = 2; at < compiled.length; at++) {
    if (compiled[at] !== '0' && compiled[at] !== found[at]) return false
  }
  return true
}
