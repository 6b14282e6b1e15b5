import type { Address, Hex } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import type { RawLog } from './chain-data.ts'
import { splittersIn, suppliesIn } from './chain-facts.ts'

const CONTRACT: Address = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
const STAKE: Address = '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9'
const OWNER: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const OTHER: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const ZERO: Address = '0x0000000000000000000000000000000000000000'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const CREATED = '0x22142b283581f0b2a487f7a23e0422d292eb5783629173717aa106744ad70d60'
const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'

const word = (value: string): Hex => `0x${value.slice(2).toLowerCase().padStart(64, '0')}`
const place = {
  txHash: word('0x1'),
  logIndex: 4,
  blockNumber: 7,
  blockHash: word('0x7'),
  blockTimestamp: 1_800_000_000,
}
const log = (topics: readonly string[], more: Partial<RawLog> = {}): RawLog => ({
  ...{ ...place, address: CONTRACT.toLowerCase(), topics, data: '0x' },
  ...more,
})

describe('splittersIn', () => {
  const created = [CREATED, word(OWNER), word(OTHER)]

  test('default: finds the splitter of a wallet, with checksummed addresses and its place', () => {
    expect(splittersIn([log(created)], CONTRACT)).toEqual([{ ...place, wallet: OWNER, splitter: OTHER }])
  })

  test.each([
    ['another emitter', log(created, { address: OTHER.toLowerCase() })],
    ['another topic', log([TRANSFER, ...created.slice(1)])],
    ['no splitter', log(created.slice(0, 2))],
    ['a topic more', log([...created, word('0x1')])],
    ['a wallet that is no address', log([CREATED, `0x${'1'.repeat(64)}`, word(OTHER)])],
    ['a splitter that is no address', log([CREATED, word(OWNER), `0x${'1'.repeat(64)}`])],
  ])('behavior: ignores a log with %s', (_what, odd) => expect(splittersIn([odd], CONTRACT)).toEqual([]))
})

describe('suppliesIn', () => {
  const transfer = (from: Address, to: Address, more: Partial<RawLog> = {}) =>
    log([TRANSFER, word(from), word(to)], { data: word('0x5'), ...more })
  const changes = (one: RawLog, lockedIn: Address | undefined = STAKE) =>
    suppliesIn([one], CONTRACT, lockedIn).map(({ totalChange, lockedChange }) => [totalChange, lockedChange])

  test.each<[string, Address, Address, readonly string[]]>([
    ['from nobody it mints', ZERO, OWNER, ['5', '0']],
    ['to nobody it destroys', OWNER, ZERO, ['-5', '0']],
    ['to where it is locked it locks', OWNER, STAKE, ['0', '5']],
    ['from there it unlocks', STAKE, OWNER, ['0', '-5']],
    ['what is minted there is locked', ZERO, STAKE, ['5', '5']],
    ['what is destroyed there is not locked any more', STAKE, ZERO, ['-5', '-5']],
  ])('default: %s', (_what, from, to, change) => expect(changes(transfer(from, to))).toEqual([change]))

  test('default: includes the place, whatever letter case the stake contract is written in', () => {
    for (const lockedIn of [STAKE, STAKE.toLowerCase() as Address])
      expect(suppliesIn([transfer(OWNER, STAKE)], CONTRACT, lockedIn)).toEqual([
        { ...place, totalChange: '0', lockedChange: '5' },
      ])
  })

  test('behavior: a transfer between owners, to itself or of nothing changes nothing', () => {
    const still = [transfer(OWNER, OTHER), transfer(STAKE, STAKE), transfer(ZERO, ZERO)]
    for (const one of [...still, transfer(ZERO, OWNER, { data: word('0x0') })]) expect(changes(one)).toEqual([])
  })

  test('behavior: without a stake contract, only mints and burns count', () => {
    expect(suppliesIn([transfer(OWNER, STAKE)], CONTRACT, undefined)).toEqual([])
    expect(suppliesIn([transfer(ZERO, OWNER)], CONTRACT, undefined)).toMatchObject([{ totalChange: '5' }])
  })

  test.each([
    ['another emitter', transfer(ZERO, OWNER, { address: OTHER.toLowerCase() })],
    ['another topic', transfer(ZERO, OWNER, { topics: [APPROVAL, word(ZERO), word(OWNER)] })],
    ['a topic more', transfer(ZERO, OWNER, { topics: [TRANSFER, word(ZERO), word(OWNER), word('0x1')] })],
    ['no payee', transfer(ZERO, OWNER, { topics: [TRANSFER, word(ZERO)] })],
    ['a payer that is no address', transfer(ZERO, OWNER, { topics: [TRANSFER, `0x${'1'.repeat(64)}`, word(ZERO)] })],
    ['a payee that is no address', transfer(ZERO, OWNER, { topics: [TRANSFER, word(ZERO), `0x${'1'.repeat(64)}`] })],
    ['no value', transfer(ZERO, OWNER, { data: '0x' })],
    ['two values', transfer(ZERO, OWNER, { data: `${word('0x5')}${'0'.repeat(64)}` })],
  ])('behavior: a log with %s changes nothing', (_what, odd) => expect(changes(odd)).toEqual([]))
})
