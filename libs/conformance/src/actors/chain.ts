import { pbkdf2Sync } from 'node:crypto'
import {
  type Account,
  type Chain,
  createPublicClient,
  createWalletClient,
  defineChain,
  getAddress,
  http,
  parseAbi,
  parseAbiItem,
} from 'viem'
import { generatePrivateKey, type HDAccount, HDKey, hdKeyToAccount, privateKeyToAccount } from 'viem/accounts'
import type { Devnet } from '../target.ts'

export type Hex = `0x${string}`

const ERC20 = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
])
const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** The account of the devnet's mnemonic that funds the accounts of a run. */
const BANK = 9

const viemChain = ({ chainId, rpcUrl }: Devnet): Chain =>
  defineChain({
    id: chainId,
    name: 'Devnet',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })

export const reader = (devnet: Devnet) =>
  createPublicClient({ chain: viemChain(devnet), transport: http(devnet.rpcUrl), pollingInterval: 50 })

export const writer = (devnet: Devnet, account: Account) =>
  createWalletClient({ account, chain: viemChain(devnet), transport: http(devnet.rpcUrl) })

const accounts = new Map<string, HDAccount>()
const roots = new Map<string, HDKey>()

/** The root of a mnemonic's accounts (BIP-39). viem derives it anew, in JavaScript, for each account. */
function rootOf(mnemonic: string): HDKey {
  const root =
    roots.get(mnemonic) ?? HDKey.fromMasterSeed(pbkdf2Sync(mnemonic.normalize('NFKD'), 'mnemonic', 2_048, 64, 'sha512'))
  roots.set(mnemonic, root)
  return root
}

/** An account of the devnet's mnemonic. Derived once. */
export function accountOf({ mnemonic }: Devnet, addressIndex: number): HDAccount {
  const key = `${mnemonic} ${addressIndex}`
  const account = accounts.get(key) ?? hdKeyToAccount(rootOf(mnemonic), { addressIndex })
  accounts.set(key, account)
  return account
}

/** A fresh account. */
export const newAccount = () => privateKeyToAccount(generatePrivateKey())
export type LocalAccount = ReturnType<typeof newAccount>

/** Sends a transaction and waits for its block. @throws Error when it reverted */
export async function sendAndWait(
  devnet: Devnet,
  account: Account,
  { to, data = '0x', value = 0n }: { to: Hex; data?: Hex; value?: bigint },
): Promise<Hex> {
  const hash = await writer(devnet, account).sendTransaction({ to, data, value })
  const { status } = await reader(devnet).waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`Transaction ${hash} reverted`)
  return hash
}

/** Gives an account gas and test USDC from the devnet's own account. */
export async function fund(devnet: Devnet, to: Hex, given: { wei?: bigint; usdc?: bigint }): Promise<void> {
  const bank = accountOf(devnet, BANK)
  if (given.wei) await sendAndWait(devnet, bank, { to, value: given.wei })
  if (given.usdc) {
    const hash = await writer(devnet, bank).writeContract({
      address: devnet.usdc.address,
      abi: ERC20,
      functionName: 'transfer',
      args: [to, given.usdc],
    })
    await reader(devnet).waitForTransactionReceipt({ hash })
  }
}

export const usdcBalance = (devnet: Devnet, owner: Hex): Promise<bigint> =>
  reader(devnet).readContract({ address: devnet.usdc.address, abi: ERC20, functionName: 'balanceOf', args: [owner] })

export interface Transfer {
  readonly to: Hex
  readonly value: bigint
  readonly transaction: Hex
}

/** Every transfer of test USDC that an account ever made, oldest first. */
export async function transfersFrom(devnet: Devnet, from: Hex): Promise<readonly Transfer[]> {
  const logs = await reader(devnet).getLogs({
    address: devnet.usdc.address,
    event: TRANSFER,
    args: { from },
    fromBlock: 0n,
    strict: true,
  })
  return logs.map(({ args, transactionHash }) => ({
    to: getAddress(args.to),
    value: args.value,
    transaction: transactionHash,
  }))
}
