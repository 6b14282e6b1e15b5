import { encodeFunctionData, parseAbi } from 'viem'
import type { Devnet } from '../target.ts'
import { accountOf, fund, type Hex, type LocalAccount, sendAndWait } from './chain.ts'

const TOKEN = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
])
const STAKE = parseAbi(['function stake(uint256 amount)', 'function unstake(uint256 amount)'])
const LEDGER = parseAbi(['function burn(uint256 amount)'])

/** The account of the devnet's mnemonic that funds stake tokens; another one funds the rest. */
const BANK = 8

/** Gives an account stake tokens and gas, and approves the stake contract and the burn ledger for them. */
export async function fundToken(devnet: Devnet, account: LocalAccount, units: bigint): Promise<void> {
  const { stake, stakeToken, burnLedger } = devnet
  await fund(devnet, account.address, { wei: 10n ** 18n })
  const data = encodeFunctionData({ abi: TOKEN, functionName: 'transfer', args: [account.address, units] })
  await sendAndWait(devnet, accountOf(devnet, BANK), { to: stakeToken, data })
  for (const spender of [stake, burnLedger]) {
    const approval = encodeFunctionData({ abi: TOKEN, functionName: 'approve', args: [spender, units] })
    await sendAndWait(devnet, account, { to: stakeToken, data: approval })
  }
}

export const changeStake = (
  devnet: Devnet,
  account: LocalAccount,
  way: 'stake' | 'unstake',
  units: bigint,
): Promise<Hex> =>
  sendAndWait(devnet, account, {
    to: devnet.stake,
    data: encodeFunctionData({ abi: STAKE, functionName: way, args: [units] }),
  })

export const burn = (devnet: Devnet, account: LocalAccount, units: bigint): Promise<Hex> =>
  sendAndWait(devnet, account, {
    to: devnet.burnLedger,
    data: encodeFunctionData({ abi: LEDGER, functionName: 'burn', args: [units] }),
  })
