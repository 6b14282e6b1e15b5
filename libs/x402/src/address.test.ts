import fc from 'fast-check'
import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BASE_USDC } from '../test/vectors.ts'
import { AddressText, BaseUnitsText, Caip2Text, Hash32, HexText, UnixSecondsText } from './address.ts'

const message = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message

describe('AddressText', () => {
  test('default: a checksummed address stays as it is', () => {
    expect(AddressText.parse(BASE_USDC)).toBe(BASE_USDC)
  })

  test('behavior: lower case and upper-case hex become EIP-55', () => {
    expect(AddressText.parse(BASE_USDC.toLowerCase())).toBe(BASE_USDC)
    expect(AddressText.parse(`0x${BASE_USDC.slice(2).toUpperCase()}`)).toBe(BASE_USDC)
  })

  test('behavior: the output equals viem getAddress for every address', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^0x[0-9a-f]{40}$/), (text) => {
        expect(AddressText.parse(text)).toBe(getAddress(text))
      }),
    )
  })

  test('error: refuses and names a wrong checksum', () => {
    const mistyped = BASE_USDC.replace('fCD6', 'fcD6')
    expect(message(AddressText, mistyped)).toMatch(/wrong EIP-55 checksum/)
  })

  test.each([
    '',
    '0x',
    'abc',
    BASE_USDC.slice(2),
    `0X${BASE_USDC.slice(2)}`,
    `${BASE_USDC}00`,
    `${BASE_USDC}\n`,
    1,
    null,
  ])('error: %j is not an address', (value) => {
    expect(AddressText.safeParse(value).success).toBe(false)
  })
})

describe('the other schemas', () => {
  test('behavior: hex comes out in lower case', () => {
    expect(HexText.parse('0xABcd')).toBe('0xabcd')
    expect(Hash32.parse(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
  })

  test.each(['', '0', '0X12', 'x0x12', '0x12 ', '0x1g', '12'])('error: %j is not hex text', (text) => {
    expect(message(HexText, text)).toBe('must be 0x and hex digits')
  })

  test('default: an empty byte string is hex text', () => {
    expect(HexText.parse('0x')).toBe('0x')
  })

  test.each(['', `0x${'ab'.repeat(31)}`, `0x${'ab'.repeat(33)}`, ` 0x${'ab'.repeat(32)}`, `0x${'ag'.repeat(32)}`])(
    'error: %j is not a hash',
    (text) => {
      expect(message(Hash32, text)).toBe('must be 0x and 64 hex digits')
    },
  )

  test('error: half a byte is not hex text', () => {
    expect(message(HexText, '0xabc')).toBe('must hold whole bytes')
  })

  test.each(['eip155:8453', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'])('default: %s is a chain', (text) => {
    expect(Caip2Text.parse(text)).toBe(text)
  })

  test.each(['base', 'eip155:', 'eip155:08453', 'eip155:0x1', 'EIP155:1', 'eip155:1:2'])(
    'error: %s is not a chain',
    (text) => {
      expect(Caip2Text.safeParse(text).success).toBe(false)
    },
  )

  test('behavior: every uint256 passes, and nothing larger', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
        (value) => BaseUnitsText.parse(`${value}`) === `${value}`,
      ),
    )
    expect(message(BaseUnitsText, `${2n ** 256n}`)).toBe('does not fit 256 bits')
  })

  test.each(['', '-1', '+1', '01', '1.0', '1e3', '0x1', ' 1', '１', 10000])(
    'error: %j is neither an amount nor a time',
    (value) => {
      expect(BaseUnitsText.safeParse(value).success).toBe(false)
      expect(UnixSecondsText.safeParse(value).success).toBe(false)
    },
  )

  test('behavior: every schema has a JSON Schema, for the OpenAPI document', () => {
    const schema = z.toJSONSchema(
      z.object({ address: AddressText, hash: Hash32, network: Caip2Text, amount: BaseUnitsText }),
    )
    expect(schema.properties?.address).toMatchObject({ type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' })
  })
})
