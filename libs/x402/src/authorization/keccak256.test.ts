import fc from 'fast-check'
import { bytesToHex, keccak256 as reference } from 'viem/utils'
import { expect, test } from 'vitest'
import { keccak256 } from './keccak256.ts'

test('the digest of empty input is the known one', () => {
  expect(keccak256('0x')).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
})

test('equals viem’s digest for bytes and for their hex, even beyond one block', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      expect(keccak256(bytes)).toBe(reference(bytes))
      expect(keccak256(bytesToHex(bytes))).toBe(reference(bytes))
    }),
  )
})
