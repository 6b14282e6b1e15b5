import { describe, expect, test } from 'vitest'
import { AUTHORIZATION, PAYMENT, REQUIREMENTS, SIGNATURE, V1_PAYMENT } from '../test/vectors.ts'
import { readPresentedPayment } from './presented-payment.ts'
import { toV1Requirements } from './v1.ts'
import { V1_NETWORKS } from './v1-networks.ts'

const V1_REQUIREMENTS = toV1Requirements(REQUIREMENTS, { url: 'https://api.example/weather' })

describe('readPresentedPayment', () => {
  test('default: both versions become the same inner form', () => {
    const inner = {
      scheme: 'exact',
      network: 'eip155:8453',
      payload: PAYMENT.payload,
      extensions: {},
      requirement: REQUIREMENTS,
    }
    const v2 = readPresentedPayment({ x402Version: 2, paymentPayload: PAYMENT, paymentRequirements: REQUIREMENTS })
    const v1 = readPresentedPayment({
      x402Version: 1,
      paymentPayload: V1_PAYMENT,
      paymentRequirements: V1_REQUIREMENTS,
    })
    expect(v2).toEqual({ ok: true, payment: { ...inner, x402Version: 2 } })
    expect(v1).toEqual({ ok: true, payment: { ...inner, x402Version: 1 } })
  })

  test('behavior: a version 1 payment may be held against a version 2 requirement of our own', () => {
    expect(readPresentedPayment({ paymentPayload: V1_PAYMENT, paymentRequirements: REQUIREMENTS }).ok).toBe(true)
  })

  test('behavior: addresses and nonce of the authorization come out in their one inner form', () => {
    const authorization = {
      ...AUTHORIZATION,
      from: AUTHORIZATION.from.toLowerCase(),
      nonce: AUTHORIZATION.nonce.toUpperCase().replace('X', 'x'),
    }
    const paymentPayload = { ...PAYMENT, payload: { signature: SIGNATURE, authorization } }
    const read = readPresentedPayment({ paymentPayload, paymentRequirements: REQUIREMENTS })
    expect(read).toMatchObject({ payment: { payload: { authorization: AUTHORIZATION } } })
  })

  test('behavior: a devnet is payable in version 1 once the caller names it', () => {
    const devnet = new Map([...V1_NETWORKS, ['devnet', 'eip155:31337'] as const])
    const request = { paymentPayload: { ...V1_PAYMENT, network: 'devnet' }, paymentRequirements: REQUIREMENTS }
    expect(readPresentedPayment(request, devnet)).toMatchObject({ payment: { network: 'eip155:31337' } })
    expect(readPresentedPayment(request)).toEqual({ ok: false, reason: 'invalid_network' })
  })

  const permit2 = { signature: SIGNATURE, permit2Authorization: {} }
  const withAuthorization = (change: object) => ({
    signature: SIGNATURE,
    authorization: { ...AUTHORIZATION, ...change },
  })

  test.each([
    ['invalid_x402_version', { paymentPayload: { ...PAYMENT, x402Version: 3 } }],
    ['invalid_x402_version', { paymentPayload: undefined }],
    ['invalid_x402_version', { paymentPayload: [] }],
    ['invalid_x402_version', { x402Version: 1 }],
    ['invalid_payload', { paymentPayload: { x402Version: 2 } }],
    ['invalid_payload', { paymentPayload: { ...PAYMENT, payload: {} } }],
    ['invalid_payload', { paymentPayload: { ...PAYMENT, payload: withAuthorization({ value: 10000 }) } }],
    ['invalid_payload', { paymentPayload: { ...PAYMENT, payload: withAuthorization({ value: '-1' }) } }],
    ['invalid_payload', { paymentPayload: { ...PAYMENT, payload: withAuthorization({ nonce: '0x01' }) } }],
    ['invalid_payload', { paymentPayload: { ...PAYMENT, payload: withAuthorization({ extra: 1 }) } }],
    ['unsupported_payload_type', { paymentPayload: { ...PAYMENT, payload: permit2 } }],
    ['invalid_payload', { paymentPayload: { ...V1_PAYMENT, payload: permit2 } }],
    ['invalid_network', { paymentPayload: { ...V1_PAYMENT, network: 'arc' } }],
    ['invalid_payment_requirements', { paymentRequirements: {} }],
    ['invalid_payment_requirements', { paymentRequirements: { ...REQUIREMENTS, amount: 10000 } }],
    ['invalid_payment_requirements', { paymentRequirements: { ...V1_REQUIREMENTS, payTo: 1 } }],
    ['invalid_network', { paymentRequirements: { ...V1_REQUIREMENTS, network: 'arc' } }],
  ])('error: %s (%#)', (reason, change) => {
    const request = { paymentPayload: PAYMENT, paymentRequirements: REQUIREMENTS, ...change }
    expect(readPresentedPayment(request)).toEqual({ ok: false, reason })
  })
})
