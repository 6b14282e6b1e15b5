import type { DataOf, ObservedBurn, StakeChange, stakeChanged } from '@callboard/contract'
import { burnLedgerAbi, erc20Abi, stakeAbi } from '@callboard/evm'
import type { TestDatabase } from '@callboard/testkit'
import type { Hex } from '@callboard/values'
import { encodeFunctionData } from 'viem'
import { account, type TestChain } from './chain.ts'

const ALL = 2n ** 255n

/** Actions of users with the network's token on a test chain. The account with the given index stakes, or burns. */
export function tokenOn(chain: TestChain) {
  const { stake, stakeToken, burnLedger } = chain.devnet
  const as = (index: number, data: Hex, to: Hex) => chain.send(data, to, 200_000n, index)
  return {
    async approve(index: number): Promise<void> {
      for (const spender of [stake, burnLedger])
        await as(
          index,
          encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, ALL] }),
          stakeToken,
        )
    },
    stake: (index: number, units: bigint) => as(index, stakeCall('stake', units), stake),
    unstake: (index: number, units: bigint) => as(index, stakeCall('unstake', units), stake),
    burn: (index: number, units: bigint) => as(index, burnCall(units), burnLedger),
    /** A call for the first block of a reorganisation's branch. */
    staking: (index: number, units: bigint) => ({
      to: stake,
      from: account(index).address,
      data: stakeCall('stake', units),
    }),
    /** The contract's own value. */
    async stakeOf(index: number): Promise<string> {
      const data = encodeFunctionData({ abi: stakeAbi, functionName: 'stakeOf', args: [account(index).address] })
      return BigInt((await chain.rpc('eth_call', { to: stake, data }, 'latest')) as Hex).toString()
    },
  }
}

const stakeCall = (functionName: 'stake' | 'unstake', units: bigint) =>
  encodeFunctionData({ abi: stakeAbi, functionName, args: [units] })

const burnCall = (units: bigint) => encodeFunctionData({ abi: burnLedgerAbi, functionName: 'burn', args: [units] })

/** The members of `DEVNET` that make the indexer read the token's contracts. */
export const tokenContracts = ({ devnet }: TestChain) => {
  const { stake, stakeToken, burnLedger } = devnet
  return { stake, stakeToken, burnLedger }
}

interface Row {
  readonly name: string
  readonly data: unknown
}

/** Every stake and burn event ever written, in order; throws on a repeat or a gap. */
export async function toldOf(database: TestDatabase) {
  const rows = await database.query<Row>('select name, data from chain_indexer.outbox order by sequence')
  const named = <Data>(name: string) => rows.filter((row) => row.name === name).map((row) => row.data as Data)
  return {
    changed: named<StakeChange>('stake.changed.v1'),
    stakesReverted: named<StakeChange>('stake.reverted.v1'),
    burned: named<ObservedBurn>('burn.observed.v1'),
    burnsReverted: named<ObservedBurn>('burn.reverted.v1'),
    believed: believedOf(rows),
  }
}

/** Each owner's stake in the end, for a consumer of the events in order; throws where one contradicts earlier ones. */
function believedOf(rows: readonly Row[]): Record<string, string> {
  const standing = new Map<string, DataOf<typeof stakeChanged>>()
  for (const { name, data } of rows.filter((row) => row.name.startsWith('stake.'))) {
    const change = data as StakeChange
    const key = `${change.txHash}:${change.logIndex}`
    const isChange = name === 'stake.changed.v1'
    if (isChange === standing.has(key)) throw new Error(`${name} of ${key} does not fit what was said before`)
    if (isChange) standing.set(key, change)
    else standing.delete(key)
  }
  const inOrder = [...standing.values()].toSorted(
    (a, b) => Number(a.blockNumber) - Number(b.blockNumber) || a.logIndex - b.logIndex,
  )
  return Object.fromEntries(inOrder.map(({ owner, stake }) => [owner, stake]))
}
