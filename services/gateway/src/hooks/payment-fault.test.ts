import { expect, test } from 'vitest'
import { paymentFault } from './payment-fault.ts'

test('default: says what the header must be, what is wrong, and the code', () => {
  expect(paymentFault('PAYMENT-SIGNATURE', 'not_base64', undefined)).toBe(
    'PAYMENT-SIGNATURE: must be an x402 payment as JSON in base64, and is not base64 (not_base64)',
  )
})

test('behavior: the member at fault follows the code', () => {
  expect(paymentFault('X-PAYMENT', 'wrong_shape', 'payload: Required')).toBe(
    'X-PAYMENT: must be an x402 payment as JSON in base64, and is not an x402 payment (wrong_shape: payload: Required)',
  )
})
