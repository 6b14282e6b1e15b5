import { expect, test } from 'vitest'
import { AUTHORIZATION, BASE_USDC, PAYER } from '../test/vectors.ts'
import { paymentKey } from './payment-key.ts'

const IDENTITY = { network: 'eip155:8453', asset: BASE_USDC, from: PAYER, nonce: AUTHORIZATION.nonce } as const

test('default: network, asset, payer and nonce in lower case', () => {
  expect(paymentKey(IDENTITY)).toBe(
    `eip155:8453/${BASE_USDC.toLowerCase()}/${PAYER.toLowerCase()}/${AUTHORIZATION.nonce}`,
  )
})

test('behavior: letter case opens no second key', () => {
  const shouted = IDENTITY.nonce.toUpperCase().replace('X', 'x') as typeof IDENTITY.nonce
  expect(paymentKey({ ...IDENTITY, nonce: shouted })).toBe(paymentKey(IDENTITY))
})
