import { describe, expect, test } from 'vitest'
import { PAYER } from '../../test/vectors.ts'
import { SettleResponse, VerifyResponse } from './settle-response.ts'

const HASH = `0x${'ab'.repeat(32)}`

describe('VerifyResponse', () => {
  const full = {
    isValid: false,
    invalidReason: 'insufficient_funds',
    invalidMessage: 'The payer holds less.',
    payer: PAYER,
    extensions: { bazaar: { info: {} } },
    extra: { retry: true },
  }

  test('default: keeps a verdict with all its standard members, and nothing else', () => {
    expect(VerifyResponse.parse({ ...full, note: 'hi' })).toStrictEqual(full)
    expect(VerifyResponse.parse({ isValid: true })).toStrictEqual({ isValid: true })
  })

  test.each([
    ['no verdict', { isValid: undefined }],
    ['a verdict as text', { isValid: 'true' }],
    ['a reason that is a number', { invalidReason: 402 }],
    ['a message that is a list', { invalidMessage: [] }],
    ['a payer that is no address', { payer: 'me' }],
    ['extensions that are text', { extensions: 'bazaar' }],
    ['an extra that is text', { extra: 'retry' }],
  ])('error: is invalid with %s', (_, change) => {
    expect(VerifyResponse.safeParse({ ...full, ...change }).success).toBe(false)
  })
})

describe('SettleResponse', () => {
  const full = {
    success: false,
    errorReason: 'settlement_pending',
    errorMessage: 'Not known yet.',
    payer: '9xQe',
    transaction: HASH,
    network: 'solana',
    amount: '10000',
    extensions: { bazaar: { info: {} } },
    extra: { retry: true },
  }

  test('default: keeps all standard members, on any kind of network, and nothing else', () => {
    expect(SettleResponse.parse({ ...full, note: 'hi' })).toStrictEqual(full)
    const bare = { success: false, transaction: '', network: 'eip155:8453' }
    expect(SettleResponse.parse(bare)).toStrictEqual(bare)
  })

  test.each([
    ['no outcome', { success: undefined }],
    ['an outcome that is a number', { success: 1 }],
    ['no transaction', { transaction: undefined }],
    ['no network', { network: undefined }],
    ['a reason that is a number', { errorReason: 402 }],
    ['a message that is a list', { errorMessage: [] }],
    ['a payer that is a number', { payer: 7 }],
    ['an amount with a fraction', { amount: '0.01' }],
    ['extensions that are text', { extensions: 'bazaar' }],
    ['an extra that is text', { extra: 'retry' }],
  ])('error: is invalid with %s', (_, change) => {
    expect(SettleResponse.safeParse({ ...full, ...change }).success).toBe(false)
  })
})
