import { describe, expect, test } from 'vitest'
import { AUTHORIZATION, PAYMENT, REQUIREMENTS, SIGNATURE, THIRD_PARTY, V1_PAYMENT } from '../../test/vectors.ts'
import { readPresentedPayment } from './presented-payment.ts'
import { toV1Requirements } from './v1.ts'
import { V1_NETWORKS } from './v1-networks.ts'

const V1_REQUIREMENTS = toV1Requirements(REQUIREMENTS, { url: 'https://api.example/weather' })

describe('readPresentedPayment', () => {
  test('default: both versions have the same inner form', () => {
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

  test('behavior: extensions of version 2 come with the payment, and the envelope’s version is optional', () => {
    const extensions = { 'payment-identifier': { info: { id: 'pay_0123456789abcdef' } } }
    const read = readPresentedPayment({ paymentPayload: { ...PAYMENT, extensions }, paymentRequirements: REQUIREMENTS })
    expect(read).toMatchObject({ ok: true, payment: { extensions } })
  })

  test('behavior: an entry of version 2 without extra is read, and left to the domain check', () => {
    const { extra: _, ...bare } = REQUIREMENTS
    const read = readPresentedPayment({ paymentPayload: { ...PAYMENT, accepted: bare }, paymentRequirements: bare })
    expect(read).toMatchObject({ ok: true, payment: { requirement: bare } })
  })

  test('behavior: the offer and the payer can name EIP-3009', () => {
    const named = { ...REQUIREMENTS, extra: { ...REQUIREMENTS.extra, assetTransferMethod: 'eip3009' } }
    const paymentPayload = { ...PAYMENT, accepted: named }
    expect(readPresentedPayment({ paymentPayload, paymentRequirements: named }).ok).toBe(true)
  })

  test.each([
    ['accepted', { ...REQUIREMENTS, scheme: 'upto' }, REQUIREMENTS],
    ['required', REQUIREMENTS, { ...REQUIREMENTS, scheme: 'upto' }],
  ])('behavior: another scheme that is only %s is left to the check of both', (_, accepted, paymentRequirements) => {
    expect(readPresentedPayment({ paymentPayload: { ...PAYMENT, accepted }, paymentRequirements }).ok).toBe(true)
  })

  test('behavior: a version 1 payment can be checked against a version 2 requirement of our own', () => {
    expect(readPresentedPayment({ paymentPayload: V1_PAYMENT, paymentRequirements: REQUIREMENTS }).ok).toBe(true)
  })

  test('behavior: addresses and nonce of the authorization are normalized', () => {
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
    ['invalid_x402_version', { x402Version: null }],
    ['invalid_x402_version', { x402Version: 2, paymentPayload: V1_PAYMENT }],
    ['invalid_payload', { paymentPayload: { x402Version: 1 } }],
    ['invalid_payment_requirements', { paymentRequirements: undefined }],
    ['invalid_payload', { paymentPayload: { x402Version: 2 } }],
    ['invalid_payload', { paymentPayload: { ...PAYMENT, payload: {} } }],
    ['invalid_payload', { paymentPayload: { ...PAYMENT, payload: withAuthorization({ value: 10000 }) } }],
    ['invalid_payload', { paymentPayload: { ...PAYMENT, payload: withAuthorization({ value: '-1' }) } }],
    ['invalid_payload', { paymentPayload: { ...PAYMENT, payload: withAuthorization({ nonce: '0x01' }) } }],
    ['invalid_payload', { paymentPayload: { ...PAYMENT, payload: withAuthorization({ extra: 1 }) } }],
    ['invalid_network', { paymentPayload: { ...V1_PAYMENT, network: 'arc' } }],
    ['invalid_payment_requirements', { paymentRequirements: {} }],
    ['invalid_payment_requirements', { paymentRequirements: { ...REQUIREMENTS, amount: 10000 } }],
    ['invalid_payment_requirements', { paymentRequirements: { ...V1_REQUIREMENTS, payTo: 1 } }],
    ['invalid_network', { paymentRequirements: { ...V1_REQUIREMENTS, network: 'arc' } }],
  ])('error: %s (%#)', (reason, change) => {
    const request = { paymentPayload: PAYMENT, paymentRequirements: REQUIREMENTS, ...change }
    expect(readPresentedPayment(request)).toStrictEqual({ ok: false, reason })
  })

  const erc7710 = { delegationManager: THIRD_PARTY, permissionContext: '0x', delegator: THIRD_PARTY }
  const by = (assetTransferMethod: string) => ({
    ...REQUIREMENTS,
    extra: { ...REQUIREMENTS.extra, assetTransferMethod },
  })
  const accepting = (accepted: object, payload: object = PAYMENT.payload) => ({
    paymentPayload: { ...PAYMENT, accepted, payload },
    paymentRequirements: accepted,
  })
  const ofScheme = (scheme: string) => ({ ...REQUIREMENTS, scheme })

  test.each([
    ['permit2', 'unsupported_payload_type', { paymentPayload: { ...PAYMENT, payload: permit2 } }],
    ['permit2', 'invalid_payload', { paymentPayload: { ...V1_PAYMENT, payload: permit2 } }],
    ['permit2', 'unsupported_payload_type', accepting(by('permit2'))],
    ['permit2', 'unsupported_payload_type', accepting(by('permit2'), permit2)],
    ['erc7710', 'unsupported_payload_type', { paymentPayload: { ...PAYMENT, payload: erc7710 } }],
    ['erc7710', 'unsupported_payload_type', accepting(by('erc7710'), erc7710)],
    ['erc7710', 'unsupported_payload_type', { paymentPayload: { ...PAYMENT, payload: { delegationManager: 1 } } }],
    ['erc7710', 'unsupported_payload_type', { paymentPayload: { ...PAYMENT, payload: { permissionContext: 1 } } }],
    ['permit2', 'unsupported_payload_type', { paymentPayload: { ...PAYMENT, accepted: by('permit2') } }],
    ['permit2', 'unsupported_payload_type', { paymentPayload: PAYMENT, paymentRequirements: by('permit2') }],
    ['upto', 'unsupported_scheme', accepting(ofScheme('upto'), permit2)],
    ['batch-settlement', 'unsupported_scheme', accepting(ofScheme('batch-settlement'), { type: 'voucher' })],
    ['auth-capture', 'unsupported_scheme', accepting(ofScheme('auth-capture'), {})],
  ])('error: %s is refused by name, as %s (%#)', (name, reason, change) => {
    const request = { paymentRequirements: REQUIREMENTS, ...change }
    expect(readPresentedPayment(request)).toEqual({ ok: false, reason, message: expect.stringContaining(`"${name}"`) })
  })

  test.each(['<img>', 'img<', '>img', 'i'.repeat(33)])(
    'behavior: a third party’s scheme %s is refused and not repeated',
    (scheme) => {
      const read = readPresentedPayment(accepting(ofScheme(scheme)))
      expect(read).toMatchObject({ ok: false, reason: 'unsupported_scheme' })
      expect(JSON.stringify(read)).not.toContain('i'.repeat(33))
      expect(JSON.stringify(read)).not.toContain('img')
    },
  )

  test.each<[unknown]>([[7], [{}], [{ toString: 0 }]])(
    'error: a transfer method that is no text is refused, and not repeated: %o',
    (assetTransferMethod) => {
      const accepted = { ...REQUIREMENTS, extra: { ...REQUIREMENTS.extra, assetTransferMethod } }
      expect(readPresentedPayment(accepting(accepted))).toMatchObject({
        reason: 'unsupported_payload_type',
        message: expect.stringContaining('The transfer method of the payment'),
      })
    },
  )

  test('behavior: a scheme of 32 letters is repeated', () => {
    const read = readPresentedPayment(accepting(ofScheme('Up_to-1'.padEnd(32, 'x'))))
    expect(read).toMatchObject({ message: expect.stringContaining('"Up_to-1xxx') })
  })

  test('behavior: null counts as absent for every optional member of version 2', () => {
    const nulled = { ...REQUIREMENTS, extra: { ...REQUIREMENTS.extra, assetTransferMethod: null, paymentFlow: null } }
    const resource = { url: 'https://api.example/weather', description: null, mimeType: null }
    const paymentPayload = { ...PAYMENT, accepted: { ...nulled, outputSchema: null }, resource, extensions: null }
    const paymentRequirements = { ...nulled, description: null, mimeType: null, resource: null }
    const plain = readPresentedPayment({ paymentPayload: PAYMENT, paymentRequirements: REQUIREMENTS })
    expect(readPresentedPayment({ paymentPayload, paymentRequirements })).toEqual(plain)
    const without = { ...paymentPayload, resource: null, extensions: { bazaar: null } }
    expect(readPresentedPayment({ paymentPayload: without, paymentRequirements })).toEqual(plain)
  })

  test('behavior: null counts as absent for every optional member of version 1', () => {
    const optional = { resource: null, description: null, mimeType: null, outputSchema: null }
    const paymentRequirements = { ...V1_REQUIREMENTS, ...optional, extra: { ...V1_REQUIREMENTS?.extra, more: null } }
    const paymentPayload = { ...V1_PAYMENT, payload: { ...V1_PAYMENT.payload, permit2Authorization: null } }
    const read = readPresentedPayment({ paymentPayload, paymentRequirements })
    expect(read).toEqual(readPresentedPayment({ paymentPayload: V1_PAYMENT, paymentRequirements: V1_REQUIREMENTS }))
    const bare = readPresentedPayment({ paymentPayload, paymentRequirements: { ...paymentRequirements, extra: null } })
    expect(bare).toMatchObject({ ok: true })
  })

  test('error: a required member that is null is missing', () => {
    const paymentRequirements = { ...REQUIREMENTS, payTo: null }
    const read = readPresentedPayment({ paymentPayload: PAYMENT, paymentRequirements })
    expect(read).toEqual({ ok: false, reason: 'invalid_payment_requirements' })
  })
})
