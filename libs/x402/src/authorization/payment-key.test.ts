import { expect, test } from 'vitest'
import { AUTHORIZATION, BASE_USDC, PAYER } from '../../test/vectors.ts'
import { paymentKey } from './payment-key.ts'

const IDENTITY = { network: 'eip155:8453', asset: BASE_USDC, from: PAYER, nonce: AUTHORIZATION.nonce } as const

test('default: joins network, asset, payer and nonce in lower case', () => {
  expect(paymentKey(IDENTITY)).toBe(
    `eip155:8453/${BASE_USDC.toLowerCase()}/${PAYER.toLowerCase()}/${AUTHORIZATION.nonce}`,
  )
})

test('behavior: a change of any of the four parts changes the key', () => {
  const keys = [
    IDENTITY,
    { ...IDENTITY, network: 'eip155:5042' as const },
    { ...IDENTITY, asset: PAYER },
    { ...IDENTITY, from: BASE_USDC },
    { ...IDENTITY, nonce: `0x${'00'.repeat(32)}` as const },
  ].map(paymentKey)
  expect(new Set(keys).size).toBe(5)
})

test('behavior: letter case does not change the key', () => {
  const shouted = IDENTITY.nonce.toUpperCase().replace('X', 'x') as typeof IDENTITY.nonce
  expect(paymentKey({ ...IDENTITY, nonce: shouted })).toBe(paymentKey(IDENTITY))
})
