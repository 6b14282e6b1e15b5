import { burnLedgerAbi, stakeAbi } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import { type Abi, encodeAbiParameters, encodeEventTopics } from 'viem'
import { describe, expect, test } from 'vitest'
import type { RawLog } from './chain-data.ts'
import { burnSource, filterOf, logTest, stakeSource, tokenSource } from './log-source.ts'
import { burnsIn, stakesIn } from './stakes-and-burns.ts'
import { BURNED, STAKED, TRANSFER } from './topics.ts'

const CONTRACT: Address = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
const OTHER: Address = '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9'
const OWNER: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const MOST = 2n ** 256n - 1n

const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
const words = (...values: readonly bigint[]) =>
  encodeAbiParameters(
    values.map(() => ({ type: 'uint256' })),
    values,
  )

/** A log as viem encodes it from the contract's ABI. */
const logOf = (abi: Abi, eventName: string, logIndex: number, data: Hex, more: Partial<RawLog> = {}): RawLog => ({
  address: CONTRACT.toLowerCase(),
  topics: (encodeEventTopics({ abi, eventName, args: [OWNER] }) as string[]).map((topic) => topic.toLowerCase()),
  data,
  ...{ blockNumber: 7, blockHash: hash(700), txHash: hash(1), logIndex, blockTimestamp: 1_800_000_000 },
  ...more,
})
const staked = (at: number, stake: bigint, more?: Partial<RawLog>) =>
  logOf(stakeAbi, 'Staked', at, words(1n, stake), more)
const unstaked = (at: number, stake: bigint) => logOf(stakeAbi, 'Unstaked', at, words(1n, stake))
const burned = (at: number, amount: bigint, more?: Partial<RawLog>) =>
  logOf(burnLedgerAbi, 'Burned', at, words(amount, amount + 9n), more)

describe('stakesIn', () => {
  test('default: the stake after each change, in chain order', () => {
    const place = { blockNumber: 7, blockHash: hash(700), txHash: hash(1), blockTimestamp: 1_800_000_000 }
    expect(stakesIn([unstaked(5, 0n), staked(4, MOST)], CONTRACT)).toEqual([
      { ...place, logIndex: 4, owner: OWNER, stake: String(MOST) },
      { ...place, logIndex: 5, owner: OWNER, stake: '0' },
    ])
  })
  test.each([
    ['another emitter', { address: OTHER.toLowerCase() }],
    ['another topic', { topics: [TRANSFER, hash(1)] }],
    ['no owner', { topics: [STAKED] }],
    ['a topic more', { topics: [...staked(1, 5n).topics, hash(1)] }],
    ['an owner that is no address', { topics: [STAKED, hash(0).replace('0x0', '0x1')] }],
    ['too few words', { data: words(1n) }],
    ['too many words', { data: words(1n, 2n, 3n) }],
    ['no data', { data: '0x' }],
  ])('behavior: ignores a log with %s', (_what, more) => {
    expect(stakesIn([staked(1, 5n, more)], CONTRACT)).toEqual([])
  })
  test('behavior: keeps one log per place, however often the node repeats it', () => {
    expect(stakesIn([staked(1, 5n), staked(1, 5n)], CONTRACT)).toHaveLength(1)
  })
})

describe('burnsIn', () => {
  test('default: who burned how much', () => {
    expect(burnsIn([burned(2, 5n)], CONTRACT)).toMatchObject([{ logIndex: 2, from: OWNER, amount: '5' }])
  })
  test.each([
    ['another emitter', { address: OTHER.toLowerCase() }],
    ['another topic', { topics: [TRANSFER, ...burned(1, 5n).topics.slice(1)] }],
    ['no giver', { topics: [BURNED] }],
    ['a giver that is no address', { topics: [BURNED, hash(0).replace('0x0', '0x1')] }],
    ['a topic more', { topics: [...burned(1, 5n).topics, hash(1)] }],
    ['too few words', { data: words(1n) }],
    ['too many words', { data: words(1n, 2n, 3n) }],
    ['no data', { data: '0x' }],
  ])('behavior: ignores a log with %s', (_what, more) => {
    expect(burnsIn([burned(1, 5n, more)], CONTRACT)).toEqual([])
  })
  test('behavior: a stake is not a burn', () => {
    expect(burnsIn([staked(1, 5n)], CONTRACT)).toEqual([])
    expect(stakesIn([burned(1, 5n)], CONTRACT)).toEqual([])
  })
})

describe('sources', () => {
  const sources = [tokenSource(OTHER), stakeSource(CONTRACT)]
  test('filterOf: one filter, each topic once', () => {
    const { address, topics } = filterOf([...sources, burnSource(CONTRACT)])
    expect(address).toEqual([OTHER, CONTRACT, CONTRACT])
    expect(topics[0]).toHaveLength(5)
  })
  test('logTest: accepts an emitter only with its own topics', () => {
    const isRead = logTest(sources)
    expect(isRead(staked(1, 5n))).toBe(true)
    expect(isRead(staked(1, 5n, { address: OTHER.toLowerCase() }))).toBe(false)
    expect(isRead(staked(1, 5n, { topics: [BURNED, hash(1)] }))).toBe(false)
    expect(isRead(staked(1, 5n, { topics: [] }))).toBe(false)
  })
})
