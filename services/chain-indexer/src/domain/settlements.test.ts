import type { Address, Hex } from '@callboard/values'
import { pad, toHex } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import type { RawLog } from './chain-data.ts'
import { settlementsIn } from './settlements.ts'
import { AUTHORIZATION_USED, TRANSFER } from './topics.ts'

const USDC: Address = '0x3600000000000000000000000000000000000000'
/** Arc's second emitter: it repeats every transfer with 18 decimals. */
const SYSTEM = '0xfffffffffffffffffffffffffffffffffffffffe'
const PAYER: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const PAY_TO: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const THIRD_PARTY: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

const word = (value: Hex | bigint) =>
  pad(typeof value === 'bigint' ? toHex(value) : value, { size: 32 }).toLowerCase() as Hex
const hash = (number: number) => word(BigInt(number))

const log = (logIndex: number, topics: readonly Hex[], more: Partial<RawLog> = {}): RawLog => ({
  address: USDC.toLowerCase(),
  topics,
  data: '0x',
  blockNumber: 7,
  blockHash: hash(700),
  txHash: hash(1),
  logIndex,
  blockTimestamp: 1_800_000_000,
  ...more,
})
const used = (logIndex: number, nonce: number, more: Partial<RawLog> = {}, authorizer = PAYER) =>
  log(logIndex, [AUTHORIZATION_USED, word(authorizer), hash(nonce)], more)
const transfer = (logIndex: number, value: bigint, more: Partial<RawLog> = {}, from = PAYER, to = PAY_TO) =>
  log(logIndex, [TRANSFER, word(from), word(to)], { data: word(value), ...more })

const found = (logs: readonly RawLog[]) => settlementsIn(logs, USDC).map(({ nonce, amount }) => [Number(nonce), amount])

describe('settlementsIn', () => {
  test('default: the two logs of an authorization are one settlement, with checksummed addresses', () => {
    expect(settlementsIn([used(4, 11), transfer(5, 12_345n)], USDC)).toEqual([
      {
        txHash: hash(1),
        logIndex: 5,
        blockNumber: 7,
        blockHash: hash(700),
        blockTimestamp: 1_800_000_000,
        payer: PAYER,
        payTo: PAY_TO,
        amount: '12345',
        nonce: hash(11),
      },
    ])
  })

  test('behavior: one transaction can hold hundreds', () => {
    const logs = Array.from({ length: 400 }, (_, at) => [used(2 * at, at), transfer(2 * at + 1, BigInt(at + 1))]).flat()
    expect(found(logs)).toEqual(Array.from({ length: 400 }, (_, at) => [at, String(at + 1)]))
  })

  test('behavior: Arc’s system emitter is ignored before, between and after the two', () => {
    const system = (logIndex: number) => transfer(logIndex, 10n ** 18n, { address: SYSTEM })
    expect(found([system(0), used(1, 11), system(2), transfer(3, 1_000_000n), system(4)])).toEqual([[11, '1000000']])
    expect(found([used(1, 11), system(2)])).toEqual([])
  })

  test('behavior: another contract of the same transaction neither pairs nor comes between', () => {
    const foreign = { address: THIRD_PARTY.toLowerCase() }
    expect(found([used(1, 11, foreign), transfer(2, 1n, foreign)])).toEqual([])
    expect(found([used(1, 11), used(2, 12, foreign), transfer(3, 5n)])).toEqual([[11, '5']])
    expect(found([used(1, 11, foreign), transfer(2, 1n)])).toEqual([])
  })

  test('behavior: a transfer without an authorization is not a settlement', () => {
    expect(found([transfer(1, 1n), transfer(2, 2n)])).toEqual([])
  })

  test('behavior: a transfer of nothing settles nothing', () => {
    expect(found([used(1, 11), transfer(2, 0n), used(3, 12), transfer(4, 1n)])).toEqual([[12, '1']])
  })

  test('behavior: an authorization counts only for the next log', () => {
    expect(found([used(1, 11), transfer(2, 1n), transfer(3, 2n)])).toEqual([[11, '1']])
    expect(found([used(1, 11), transfer(2, 1n, {}, THIRD_PARTY), transfer(3, 2n)])).toEqual([])
    expect(found([used(1, 11), used(2, 12), transfer(3, 2n)])).toEqual([[12, '2']])
  })

  test('behavior: two transactions never make one settlement', () => {
    expect(found([used(1, 11), transfer(2, 1n, { txHash: hash(2) })])).toEqual([])
    expect(found([used(9, 11), transfer(0, 1n, { blockNumber: 8, blockHash: hash(800) })])).toEqual([])
    expect(found([used(9, 11), transfer(10, 1n, { blockNumber: 8, blockHash: hash(800) })])).toEqual([])
  })

  test('behavior: the order of the answer does not matter, and a repeated log counts once', () => {
    expect(found([transfer(3, 2n), used(0, 11), transfer(1, 1n), used(2, 12), used(2, 12)])).toEqual([
      [11, '1'],
      [12, '2'],
    ])
  })

  test('behavior: a repeated answer holds each settlement once', () => {
    const logs = [used(0, 11), transfer(1, 1n), used(2, 12), transfer(3, 2n)]
    expect(found([...logs, ...logs])).toEqual(found(logs))
  })

  test('behavior: one place holds one settlement, even where a node has two logs there', () => {
    expect(found([used(1, 11), transfer(2, 1n), used(2, 12), transfer(2, 2n)])).toEqual([[11, '1']])
  })

  test('behavior: the places of two blocks are not confused', () => {
    const next = { blockNumber: 8, blockHash: hash(800), txHash: hash(2) }
    const logs = [used(4, 11), transfer(5, 1n), used(5, 12, next), transfer(6, 2n, next)]
    for (const answer of [logs, logs.toReversed()])
      expect(found(answer)).toEqual([
        [11, '1'],
        [12, '2'],
      ])
  })

  test('behavior: the largest value keeps every digit', () => {
    expect(found([used(1, 1), transfer(2, 2n ** 256n - 1n)])).toEqual([[1, (2n ** 256n - 1n).toString()]])
  })

  test('behavior: logs of another shape under our topics are ignored', () => {
    const unindexed = log(2, [TRANSFER], { data: word(1n) })
    const dirty = log(2, [TRANSFER, word(PAYER), `0x${'ff'.repeat(32)}`], { data: word(1n) })
    const long = transfer(2, 1n, { data: `0x${'00'.repeat(64)}` })
    const short = transfer(2, 1n, { data: '0x01' })
    const more = log(2, [TRANSFER, word(PAYER), word(PAY_TO), hash(1)], { data: word(1n) })
    const approval = log(2, [hash(9), word(PAYER), word(PAY_TO)], { data: word(1n) })
    for (const odd of [unindexed, dirty, long, short, more, approval]) expect(found([used(1, 11), odd])).toEqual([])
  })

  test('behavior: an authorization of another shape authorizes nothing', () => {
    const dirty = `0x01${word(PAYER).slice(4)}` as const
    const byDirty = log(2, [TRANSFER, dirty, word(PAY_TO)], { data: word(1n) })
    expect(found([log(1, [AUTHORIZATION_USED, dirty, hash(11)]), byDirty])).toEqual([])
    const cut = word(PAYER).slice(0, -2) as Hex
    const byCut = log(2, [TRANSFER, cut, word(PAY_TO)], { data: word(1n) })
    expect(found([log(1, [AUTHORIZATION_USED, cut, hash(11)]), byCut])).toEqual([])
    for (const topics of [[word(PAYER)], [word(PAYER), hash(11), hash(12)], []])
      expect(found([log(1, [AUTHORIZATION_USED, ...topics]), transfer(2, 1n)])).toEqual([])
    expect(found([log(1, [hash(9), word(PAYER), hash(11)]), transfer(2, 1n)])).toEqual([])
  })
})
