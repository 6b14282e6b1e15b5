import type { Hex } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import type { RawLog } from './chain-data.ts'
import { addressOf, isAddressWord, logsOf, placeOf, unitsIn } from './logs.ts'

const EMITTER = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
const log = (blockNumber: number, logIndex: number, more: Partial<RawLog> = {}): RawLog => ({
  ...{ address: EMITTER.toLowerCase(), topics: [], data: '0x', blockHash: '0x0b', txHash: '0x0c' },
  ...{ blockNumber, logIndex, blockTimestamp: 1_800_000_000, ...more },
})
const places = (logs: readonly RawLog[]) =>
  logsOf(logs, EMITTER).map(({ blockNumber, logIndex }) => [blockNumber, logIndex])

describe('logsOf', () => {
  test('default: one emitter’s logs, by block and then by index', () => {
    const other = log(1, 0, { address: '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9' })
    expect(places([log(8, 0), log(7, 10), other, log(7, 9)])).toEqual([
      [7, 9],
      [7, 10],
      [8, 0],
    ])
  })

  test('behavior: keeps one log per place, and each index of a block is a place', () => {
    expect(places([log(7, 1), log(7, 1), log(7, 2), log(8, 2), log(8, 2)])).toEqual([
      [7, 1],
      [7, 2],
      [8, 2],
    ])
  })

  test('behavior: keeps the first log that the node gave of two different ones at one place', () => {
    const said = [log(7, 1, { data: '0x01' }), log(7, 1, { data: '0x02' }), log(7, 1, { data: '0x03' })]
    expect(logsOf(said, EMITTER).map(({ data }) => data)).toEqual(['0x01'])
  })
})

describe('isAddressWord', () => {
  const address = '70997970c51812dc3a010c7d01b50e0d17dc79c8'

  test('default: a word that holds an address and nothing before it', () => {
    const word: Hex = `0x${'0'.repeat(24)}${address}`
    expect(isAddressWord(word)).toBe(true)
    expect(addressOf(word)).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  })

  test.each([
    ['nothing', undefined],
    ['an address', `0x${address}`],
    ['a word with something before it', `0x1${'0'.repeat(23)}${address}`],
    ['a word with something right before it', `0x${'0'.repeat(23)}1${address}`],
    ['a word that is cut', `0x${'0'.repeat(24)}${address.slice(1)}`],
    ['more than a word', `0x${'0'.repeat(24)}${address}0`],
  ])('behavior: %s is not an address word', (_what, word) => expect(isAddressWord(word)).toBe(false))
})

describe('unitsIn', () => {
  const word = (digit: string) => digit.padStart(64, '0')
  const data = `0x${word('a')}${'f'.repeat(64)}${word('1')}`
  const most = '115792089237316195423570985008687907853269984665640564039457584007913129639935'

  test('default: each word as base units', () => expect(unitsIn(log(1, 1, { data }), 3)).toEqual(['10', most, '1']))

  test('behavior: undefined where there are more or fewer words, or one is cut', () => {
    expect([2, 4].map((words) => unitsIn(log(1, 1, { data }), words))).toEqual([undefined, undefined])
    expect(unitsIn(log(1, 1, { data: data.slice(0, -1) }), 3)).toBeUndefined()
  })
})

test('placeOf: the place of a log, and nothing else of it', () => {
  expect(placeOf(log(7, 4, { data: '0x01' }))).toStrictEqual({
    ...{ txHash: '0x0c', logIndex: 4, blockNumber: 7, blockHash: '0x0b', blockTimestamp: 1_800_000_000 },
  })
})
