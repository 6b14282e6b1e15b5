import { describe, expect, test } from 'vitest'
import { PAYMENT, V1_PAYMENT } from '../../test/vectors.ts'
import { encodeHeader } from './headers.ts'
import { paymentHeaderOf, readPaymentHeader } from './payment-header.ts'

const v2 = encodeHeader(PAYMENT)
const v1 = encodeHeader(V1_PAYMENT)

describe('readPaymentHeader', () => {
  test('default: reads a payment of either version from its own header', () => {
    expect(paymentHeaderOf({ 'payment-signature': v2 })).toEqual({ kind: 'v2', payload: PAYMENT })
    expect(paymentHeaderOf({ 'x-payment': v1 })).toEqual({ kind: 'v1', payload: V1_PAYMENT })
  })

  test('behavior: a request without payment headers carries none', () => {
    expect(paymentHeaderOf({})).toEqual({ kind: 'absent' })
    expect(readPaymentHeader([], undefined)).toEqual({ kind: 'absent' })
    expect(paymentHeaderOf({ 'PAYMENT-SIGNATURE': v2, 'x-payment-response': v1 })).toEqual({ kind: 'absent' })
  })

  test('behavior: a header that was sent once and passed as a list counts as one', () => {
    expect(readPaymentHeader([v2], [])).toEqual({ kind: 'v2', payload: PAYMENT })
    expect(readPaymentHeader([], [v1])).toEqual({ kind: 'v1', payload: V1_PAYMENT })
  })

  test.each([
    ['repeated', [v2, v2], undefined],
    ['joined by a proxy', `${v2}, ${v2}`, undefined],
    ['of both versions', v2, v1],
    ['repeated in version 1', undefined, [v1, v1]],
  ])('error: payment headers %s are ambiguous', (_, signature, legacy) => {
    expect(readPaymentHeader(signature, legacy)).toEqual({ kind: 'unreadable', reason: 'ambiguous' })
  })

  test('error: a payment of one version in the header of the other is refused', () => {
    expect(readPaymentHeader(v1, undefined)).toMatchObject({ kind: 'unreadable', reason: 'wrong_shape' })
    expect(readPaymentHeader(undefined, v2)).toMatchObject({ kind: 'unreadable', reason: 'wrong_shape' })
  })

  test('error: an empty header is unreadable, not absent', () => {
    expect(readPaymentHeader('', undefined)).toMatchObject({ kind: 'unreadable', reason: 'not_base64' })
  })
})
