import {
  accountOfMnemonic,
  artifacts,
  MULTICALL3,
  receiptOf,
  runtimeCode,
  SPLITTER_FEE_BP,
  splitterImplementation,
  type UsdcToken,
} from '@callboard/evm'
import { type Address, baseUnits, type Hex, USDC_DECIMALS } from '@callboard/values'
import {
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  http,
  parseEther,
  publicActions,
  toHex,
  walletActions,
} from 'viem'
import { DEVNET_MNEMONIC } from './anvil.ts'

/** What is deployed on the devnet before anyone uses it. */
export interface DevnetContracts {
  readonly usdc: UsdcToken
  readonly splitterFactory: Address
  /** Receives the network's share of every splitter. */
  readonly treasury: Address
  readonly stakeToken: Address
  readonly stake: Address
  readonly burnLedger: Address
  readonly settlementBatch: Address
  /** ERC-8004’s registries of agents and of clients' feedback on them. */
  readonly identityRegistry: Address
  readonly reputationRegistry: Address
  readonly multicall3: Address
  /** The ten accounts of the mnemonic, with ether, test USDC and stake tokens. Their nonces are untouched. */
  readonly accounts: readonly Address[]
}

/** The test USDC of each of the ten accounts, in whole dollars. */
export const DEVNET_USDC = '10000'

/** The stake tokens of each of the ten accounts, in whole tokens. */
const STAKE_TOKENS = '1000000'

const addressOf = (addressIndex: number): Address => accountOfMnemonic(DEVNET_MNEMONIC, addressIndex).address

let derived: { readonly deployer: Address; readonly treasury: Address } | undefined

/** Accounts of the mnemonic far above those meant for people. Derived once, since that is slow. */
function ownAccounts() {
  derived ??= { deployer: addressOf(1_000), treasury: addressOf(1_001) }
  return derived
}

const GAS = 6_000_000n

interface Step {
  readonly to?: Address
  readonly data: Hex
}

/**
 * Deploys our contracts on a development node and funds the first ten accounts. The work is a fixed list of
 * transactions of an account that does nothing else, so its nonce tells how far it is: a start after an interruption
 * continues there, nothing is deployed or minted twice, and addresses never change. New steps go to the end of the
 * list.
 */
export async function deployContracts(rpcUrl: string): Promise<DevnetContracts> {
  const node = devnetNode(rpcUrl)
  const { deployer, treasury } = ownAccounts()
  const accounts = (await node.getAddresses()).slice(0, 10)
  const contracts = { ...addresses(deployer, accounts.length), treasury, multicall3: MULTICALL3, accounts }
  const done = await node.getTransactionCount({ address: deployer })
  const left = steps(contracts).slice(done)
  await node.setCode({ address: MULTICALL3, bytecode: artifacts.multicall3.deployedBytecode })
  if (left.length > 0) {
    await node.setBalance({ address: deployer, value: parseEther('1000') })
    await node.impersonateAccount({ address: deployer })
    const hashes = await sendAll(node, deployer, done, left)
    await mineAll(node, deployer, done + left.length)
    await Promise.all(hashes.map((hash) => mined(node, hash)))
    await node.stopImpersonatingAccount({ address: deployer })
  }
  await bringUpToDate(node, contracts)
  return contracts
}

type Node = ReturnType<typeof devnetNode>

const devnetNode = (rpcUrl: string) =>
  createTestClient({ mode: 'anvil', transport: http(rpcUrl), pollingInterval: 50 })
    .extend(publicActions)
    .extend(walletActions)

/** The contracts' addresses follow from the deployer and their creation's position in the list of `steps`. */
function addresses(deployer: Address, accounts: number) {
  const at = (nonce: bigint) => getContractAddress({ from: deployer, nonce })
  const usdc = { address: at(0n), name: 'USDC', version: '2', decimals: USDC_DECIMALS }
  const afterMints = 5n + 2n * BigInt(accounts)
  return {
    ...{ usdc, splitterFactory: at(1n), stakeToken: at(2n), stake: at(3n), burnLedger: at(4n) },
    ...{
      settlementBatch: at(afterMints),
      identityRegistry: at(afterMints + 1n),
      reputationRegistry: at(afterMints + 2n),
    },
  }
}

function steps({ usdc, treasury, stakeToken, identityRegistry, accounts }: DevnetContracts): readonly Step[] {
  const { testUSDC, splitterFactory, testStakeToken, testStake, burnLedger, settlementBatch } = artifacts
  const { testIdentityRegistry, testReputationRegistry } = artifacts
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
    { data: testIdentityRegistry.bytecode },
    { data: encodeDeployData({ ...testReputationRegistry, args: [identityRegistry] }) },
  ]
}

/** Sequential: anvil has been seen never to mine some of the transactions that arrive before their turn. */
async function sendAll(node: Node, from: Address, first: number, steps: readonly Step[]): Promise<Hex[]> {
  const hashes: Hex[] = []
  for (const [at, step] of steps.entries())
    hashes.push(await node.sendTransaction({ account: from, chain: null, nonce: first + at, gas: GAS, ...step }))
  return hashes
}

/** The most blocks for the set-up; a block holds a handful of its transactions, by their gas limits. */
const MOST_BLOCKS = 50

/** Does not wait for a node that makes blocks by the clock. */
async function mineAll(node: Node, from: Address, nonce: number): Promise<void> {
  for (let block = 0; block < MOST_BLOCKS; block++) {
    if ((await node.getTransactionCount({ address: from })) >= nonce) return
    await node.mine({ blocks: 1 })
  }
  throw new Error(`The devnet mined ${MOST_BLOCKS} blocks without the whole of its set-up.`)
}

async function mined(node: Node, hash: Hex): Promise<void> {
  const { status } = await receiptOf(node, hash)
  if (status !== 'success')
    throw new Error(`The devnet reverted the set-up transaction ${hash}; remove its chain state.`)
}

/**
 * Replaces the code on a chain that an earlier version set up, at the same addresses and with its storage. Possible
 * while storage only grows at its end; only on a local chain can code change.
 */
async function bringUpToDate(node: Node, contracts: DevnetContracts): Promise<void> {
  const { usdc, treasury, splitterFactory, stakeToken, stake, burnLedger, settlementBatch } = contracts
  const { identityRegistry, reputationRegistry } = contracts
  const implementation = splitterImplementation(splitterFactory)
  const ofToken = { token: stakeToken }
  const splitter = { usdc: usdc.address, treasury, feeBp: toHex(SPLITTER_FEE_BP), self: implementation }
  const expected: readonly (readonly [Address, Hex])[] = [
    [usdc.address, artifacts.testUSDC.deployedBytecode],
    [splitterFactory, runtimeCode(artifacts.splitterFactory, { implementation })],
    [implementation, runtimeCode(artifacts.feeSplitter, splitter)],
    [stakeToken, artifacts.testStakeToken.deployedBytecode],
    [stake, runtimeCode(artifacts.testStake, ofToken)],
    [burnLedger, runtimeCode(artifacts.burnLedger, ofToken)],
    [settlementBatch, artifacts.settlementBatch.deployedBytecode],
    [identityRegistry, artifacts.testIdentityRegistry.deployedBytecode],
    [reputationRegistry, runtimeCode(artifacts.testReputationRegistry, { identityRegistry })],
  ]
  const found = await Promise.all(expected.map(([address]) => node.getCode({ address })))
  if (found.some((code) => code === undefined))
    throw new Error(
      'The devnet holds other contracts than this version deploys: remove the data folder and start again.',
    )
  for (const [at, [address, bytecode]] of expected.entries()) {
    if (found[at] !== bytecode) await node.setCode({ address, bytecode })
  }
}
