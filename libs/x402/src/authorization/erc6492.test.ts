import { encodeAbiParameters, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { SIGNATURE, THIRD_PARTY } from '../../test/vectors.ts'
import { isErc6492, unwrapErc6492 } from './erc6492.ts'

const MAGIC = '6492'.repeat(16)
const PARTS = encodeAbiParameters(
  [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
  [THIRD_PARTY, '0x1234', SIGNATURE],
)
const WRAPPED: Hex = `${PARTS}${MAGIC}`

describe('isErc6492', () => {
  test('default: true for a signature that ends with the 32 magic bytes, whatever precedes them', () => {
    expect(isErc6492(WRAPPED)).toBe(true)
    expect(isErc6492(`0x1234${MAGIC}`)).toBe(true)
  })

  test('error: false for magic bytes elsewhere, or one byte short', () => {
    for (const text of [SIGNATURE, `0x${MAGIC}00`, `${PARTS}${MAGIC.slice(2)}`] as const)
      expect(isErc6492(text)).toBe(false)
  })
})

describe('unwrapErc6492', () => {
  test('default: returns the factory, its call and the inner signature', () => {
    expect(unwrapErc6492(WRAPPED)).toEqual({ factory: THIRD_PARTY, factoryCalldata: '0x1234', signature: SIGNATURE })
  })

  test('error: undefined for another kind of signature, or a broken one', () => {
    expect(unwrapErc6492(SIGNATURE)).toBeUndefined()
    expect(unwrapErc6492(`0x1234${MAGIC}`)).toBeUndefined()
  })

  test('error: undefined without the magic bytes, even for bytes that would decode', () => {
    expect(unwrapErc6492(`${PARTS}${'00'.repeat(32)}`)).toBeUndefined()
  })
})
