import type { Address, Hex } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import { bloomTest } from './bloom.ts'

/** Block 6 of a devnet, as anvil 1.7.1 gives it: one `Transfer` of the test USDC, to the first account. */
const TOKEN: Address = '0x2158360b26162Ee5022f5579D5bB4C8c52405C7c'
const BLOOM: Hex =
  '0x00000000000000000000000000000000080000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000020000000000000100000800000000000000000000000010000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002000000200000000000000000000000002000000000000000000020000000000000000008000000000001000000000000000000000000000000000000'

describe('bloomTest', () => {
  test('default: yes for the emitter and the topic of a log that is there', () => {
    expect(bloomTest(TOKEN)(BLOOM)).toBe(true)
  })
  test('behavior: no for another emitter of the same topic', () => {
    expect(bloomTest('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')(BLOOM)).toBe(false)
  })
  test('behavior: no for a bloom that is all zero, as on chains that never fill it; yes for one that is full', () => {
    expect(bloomTest(TOKEN)(`0x${'00'.repeat(256)}`)).toBe(false)
    expect(bloomTest(TOKEN)(`0x${'ff'.repeat(256)}`)).toBe(true)
  })
})
