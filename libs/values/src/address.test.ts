import { describe, expect, test } from 'vitest'
import { looksLikeAddress, looksLikeHash, ZERO_ADDRESS } from './index.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const NONCE = '0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480'

describe.each([
  ['looksLikeAddress', looksLikeAddress, USDC],
  ['looksLikeHash', looksLikeHash, NONCE],
] as const)('%s', (_, looksLike, sound) => {
  test.each([
    ['as it is written', sound],
    ['in lower case', sound.toLowerCase()],
    ['in capitals', `0x${sound.slice(2).toUpperCase()}`],
  ])('default: accepts one %s', (_case, text) => {
    expect(looksLike(text)).toBe(true)
  })

  test.each([
    ['a digit short', sound.slice(0, -1)],
    ['a digit long', `${sound}0`],
    ['without 0x', sound.slice(2)],
    ['with 0X', `0X${sound.slice(2)}`],
    ['with something before it', ` ${sound}`],
    ['with something after it', `${sound}\n`],
    ['with a letter that is no digit', `${sound.slice(0, -1)}g`],
  ])('error: refuses one %s', (_fault, text) => {
    expect(looksLike(text)).toBe(false)
  })
})

test('an address is not a hash, and a hash is not an address', () => {
  expect([looksLikeHash(USDC), looksLikeAddress(NONCE)]).toEqual([false, false])
})

test('the zero address is an address of zeros alone', () => {
  expect(ZERO_ADDRESS).toBe('0x0000000000000000000000000000000000000000')
  expect(looksLikeAddress(ZERO_ADDRESS)).toBe(true)
})
