import type { Address, Hex } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { bloomTest } from './bloom.ts'
import { stakeSource, tokenSource } from './log-source.ts'

/** Block 6 of a devnet, from anvil 1.7.1: one `Transfer` of the test USDC, to the first account. */
const TOKEN: Address = '0x2158360b26162Ee5022f5579D5bB4C8c52405C7c'
const BLOOM: Hex =
  '0x00000000000000000000000000000000080000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000020000000000000100000800000000000000000000000010000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002000000200000000000000000000000002000000000000000000020000000000000000008000000000001000000000000000000000000000000000000'

describe('bloomTest', () => {
  test('default: yes for the emitter and the topic of a log that is there', () => {
    expect(bloomTest([tokenSource(TOKEN)])(BLOOM)).toBe(true)
  })
  test('behavior: no for another emitter of the same topic', () => {
    expect(bloomTest([tokenSource('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')])(BLOOM)).toBe(false)
  })
  test('behavior: no for a bloom that is all zero, as on chains that never fill it, and yes for one that is full', () => {
    expect(bloomTest([tokenSource(TOKEN)])(`0x${'00'.repeat(256)}`)).toBe(false)
    expect(bloomTest([tokenSource(TOKEN)])(`0x${'ff'.repeat(256)}`)).toBe(true)
  })

  /** The bits of the items, from the lowest bit of the last byte. */
  const OF_TOKEN = [144, 1915, 195]
  const OF_TRANSFER = [1443, 481, 1060]
  const OF_AUTHORIZATION_USED = [830, 1569, 626]
  const bloomOf = (...bits: readonly number[]): Hex =>
    `0x${bits
      .reduce((bloom, bit) => bloom | (1n << BigInt(bit)), 0n)
      .toString(16)
      .padStart(512, '0')}`
  const all = bloomTest([tokenSource(TOKEN)])

  test('behavior: the devnet’s block has exactly the bits of its log', () => {
    // In addition to emitter and topic, a log sets the bits of both addresses, which are never queried.
    const has = (bit: number) => ((BigInt(BLOOM) >> BigInt(bit)) & 1n) === 1n
    expect([...OF_TOKEN, ...OF_TRANSFER].every(has)).toBe(true)
    expect(OF_AUTHORIZATION_USED.every(has)).toBe(false)
  })
  test('behavior: yes for the emitter with either of our topics, and not without one', () => {
    expect(all(bloomOf(...OF_TOKEN, ...OF_TRANSFER))).toBe(true)
    expect(all(bloomOf(...OF_TOKEN, ...OF_AUTHORIZATION_USED))).toBe(true)
    expect(all(bloomOf(...OF_TOKEN))).toBe(false)
    expect(all(bloomOf(...OF_TRANSFER, ...OF_AUTHORIZATION_USED))).toBe(false)
  })
  test('behavior: a further source adds only its own logs, so an emitter with another’s topic is none of ours', () => {
    const STAKE: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
    const both = bloomTest([tokenSource(TOKEN), stakeSource(STAKE)])
    expect(both(BLOOM)).toBe(true)
    expect(bloomTest([stakeSource(TOKEN)])(BLOOM)).toBe(false)
  })
  test('behavior: no where one bit is missing', () => {
    const bits = [...OF_TOKEN, ...OF_TRANSFER]
    for (const missing of bits) expect(all(bloomOf(...bits.filter((bit) => bit !== missing)))).toBe(false)
  })
})
