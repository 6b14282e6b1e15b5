import { type PresentedRequest, V1_NETWORKS } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { type AdmissionRules, admit } from './admission.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const PAYER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const PAY_TO = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'
const NOW = 1_800_000_000

/** The published test vector; its signature is of this very authorization. */
const authorization = {
  from: PAYER,
  to: PAY_TO,
  value: '10000',
  validAfter: '0',
  validBefore: '1900000000',
  nonce: '0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480',
}
const signature =
  '0x2f2ea3d6deff7759326577afaa7dedcf11c0a54ad1efebaebcd7b6444d24c3f718e23b47c1b1595ce8b9ac762c08089ec20c7117e18d9f2ba8e0947c546e8aed1b'
const requirement = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '10000',
  asset: USDC,
  payTo: PAY_TO,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
}
const transfer = {
  x402Version: 2,
  network: 'eip155:8453',
  asset: USDC,
  payTo: PAY_TO,
  amount: '10000',
  domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC },
  authorization,
  signature,
}
const rules: AdmissionRules = {
  tokens: [{ network: 'eip155:8453', asset: USDC, name: 'USD Coin', version: '2' }],
  v1Networks: V1_NETWORKS,
  v1: true,
  now: NOW,
  marginSeconds: new Map([['eip155:8453', 12]]),
  signers: ['0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'],
  confirmations: new Map([['eip155:8453', { default: 'included', allowed: ['included', 'safe'] }]]),
}

interface Change {
  readonly authorization?: object
  readonly signature?: string
  readonly required?: object
}
const payloadOf = (change: Change) => ({
  signature: change.signature ?? signature,
  authorization: { ...authorization, ...change.authorization },
})
function v2(change: Change = {}): PresentedRequest {
  const paymentPayload = { x402Version: 2, accepted: requirement, payload: payloadOf(change) }
  return { x402Version: 2, paymentPayload, paymentRequirements: { ...requirement, ...change.required } }
}
const v1 = (change: Change = {}): PresentedRequest => ({
  ...v2(change),
  x402Version: 1,
  paymentPayload: { x402Version: 1, scheme: 'exact', network: 'base', payload: payloadOf(change) },
})

describe('admit', () => {
  test('default: admits a sound payment, with the transfer that it authorizes', () => {
    const admitted = admit(v2(), rules)
    expect(admitted).toMatchObject({ ok: true, payment: { x402Version: 2, scheme: 'exact', requirement } })
    expect(admitted).toHaveProperty('transfer', transfer)
  })

  test('behavior: counts from the policy that its seller asks for, and otherwise from the network’s default', () => {
    expect(admit(v2(), rules)).toHaveProperty('policy', 'included')
    const asks = { required: { extra: { ...requirement.extra, confirmation: 'safe' } } }
    for (const request of [v2(asks), v1(asks)]) expect(admit(request, rules)).toHaveProperty('policy', 'safe')
  })

  test('behavior: on a network without a confirmation rule it counts from inclusion, whatever its seller asks', () => {
    const asks = { required: { extra: { ...requirement.extra, confirmation: 'safe' } } }
    for (const request of [v2(), v2(asks)]) {
      expect(admit(request, { ...rules, confirmations: new Map() })).toMatchObject({ ok: true, policy: 'included' })
    }
  })

  test('behavior: a payer that claims to have accepted another policy changes nothing', () => {
    const accepted = { ...requirement, extra: { ...requirement.extra, confirmation: 'preconfirmed' } }
    const request = v2()
    const { paymentPayload } = request as { paymentPayload: object }
    expect(admit({ ...request, paymentPayload: { ...paymentPayload, accepted } }, rules)).toHaveProperty(
      'policy',
      'included',
    )
  })

  test.each([
    [
      'that is not allowed',
      'preconfirmed',
      '"preconfirmed" is not allowed on eip155:8453. Allowed: "included", "safe".',
    ],
    ['that no one knows', 'soon', 'no such policy is known on eip155:8453. Allowed: "included", "safe".'],
    ['that is no word', { default: 'safe' }, 'no such policy is known'],
  ])('error: refuses a policy %s, even for a payment whose window is over', (_which, confirmation, message) => {
    const asks = { required: { extra: { ...requirement.extra, confirmation } } }
    for (const now of [NOW, 1_900_000_001]) {
      expect(admit(v2(asks), { ...rules, now })).toEqual({
        ok: false,
        x402Version: 2,
        reason: 'invalid_payment_requirements',
        message: expect.stringContaining(`extra.confirmation: ${message}`),
        field: 'paymentRequirements.extra.confirmation',
        payer: PAYER,
      })
    }
  })

  test('behavior: version 1 yields the same transfer', () => {
    expect(admit(v1(), rules)).toMatchObject({ ok: true, transfer: { ...transfer, x402Version: 1 } })
  })

  test('error: invalid_x402_version, for version 1 where it is disabled; version 2 is still admitted', () => {
    const refused = { ok: false, x402Version: 1, reason: 'invalid_x402_version' }
    expect(admit(v1(), { ...rules, v1: false })).toEqual(refused)
    expect(admit(v2(), { ...rules, v1: false })).toMatchObject({ ok: true })
  })

  test.each<[1 | 2, string, PresentedRequest]>([
    [1, 'the payment’s, whatever the request says', { ...v1(), x402Version: 2 }],
    [2, 'the payment’s, whatever the request says', { ...v2(), x402Version: 1 }],
    [1, 'the request’s, for a payment that names none', { ...v1(), paymentPayload: {} }],
    [1, 'the request’s, without a payment', { ...v1(), paymentPayload: undefined }],
    [1, 'the request’s, for a payment that is null', { ...v1(), paymentPayload: null }],
    [2, 'the newer, for a version that does not exist', { ...v2(), paymentPayload: { x402Version: 3 } }],
    [2, 'the newer, where nothing is said', { paymentPayload: undefined, paymentRequirements: undefined }],
  ])('error: invalid_x402_version, in the words of version %i: %s', (x402Version, _what, request) => {
    expect(admit(request, rules)).toEqual({ ok: false, x402Version, reason: 'invalid_x402_version' })
  })

  test('error: an unreadable payment is refused without a payer, and the refusal says what is wrong', () => {
    expect(admit({ ...v2(), paymentRequirements: {} }, rules)).toStrictEqual({
      ok: false,
      x402Version: 2,
      reason: 'invalid_payment_requirements',
    })
    expect(admit(v2({ required: { extra: { ...requirement.extra, assetTransferMethod: 'permit2' } } }), rules)).toEqual(
      {
        ok: false,
        x402Version: 2,
        reason: 'unsupported_payload_type',
        message: expect.stringContaining('"permit2"'),
      },
    )
  })

  test('error: a mismatch with the required transfer is refused with its payer, by the reason of its version', () => {
    const change = { required: { payTo: PAYER } }
    const refused = { ok: false, payer: PAYER }
    const [newer, elder] = ['invalid_exact_evm_recipient_mismatch', 'invalid_exact_evm_payload_recipient_mismatch']
    expect(admit(v2(change), rules)).toEqual({ ...refused, x402Version: 2, reason: newer })
    expect(admit(v1(change), rules)).toEqual({ ...refused, x402Version: 1, reason: elder })
  })

  test('error: none of the accounts that send our settlements can be a payee', () => {
    expect(admit(v2(), { ...rules, signers: [PAY_TO] })).toEqual({
      ok: false,
      x402Version: 2,
      reason: 'invalid_payment_requirements',
      message: expect.stringContaining('payTo'),
      payer: PAYER,
    })
  })

  test('error: a wallet that is not yet deployed is never settled, because deploying it calls a foreign factory', () => {
    const change = { signature: `${signature}${'6492'.repeat(16)}` }
    const [newer, elder] = ['eip6492_factory_not_allowed', 'invalid_exact_evm_payload_undeployed_smart_wallet']
    expect(admit(v2(change), rules)).toEqual({ ok: false, x402Version: 2, reason: newer, payer: PAYER })
    expect(admit(v1(change), rules)).toEqual({ ok: false, x402Version: 1, reason: elder, payer: PAYER })
  })
})

describe('admit: the window', () => {
  const before = 'invalid_exact_evm_payload_authorization_valid_before'
  const after = 'invalid_exact_evm_payload_authorization_valid_after'
  const verdictOf = (change: object, more: Partial<AdmissionRules> = {}) => {
    const admitted = admit(v2({ authorization: change }), { ...rules, ...more })
    return admitted.ok ? 'admitted' : admitted.reason
  }

  test.each([
    ['admitted', 12, 'as long as the network’s margin', {}],
    [before, 11, 'a second less', {}],
    ['admitted', 6, 'six seconds, on a network without a margin', { marginSeconds: new Map([['eip155:1', 12]]) }],
    [before, 5, 'a second less', { marginSeconds: new Map([['eip155:1', 12]]) }],
  ])('behavior: %s with %i seconds left: %s', (verdict, left, _what, more) => {
    expect(verdictOf({ validBefore: String(NOW + left) }, more)).toBe(verdict)
  })

  test('behavior: the window is open from the second of validAfter', () => {
    expect(verdictOf({ validAfter: String(NOW) })).toBe('admitted')
    expect(verdictOf({ validAfter: String(NOW + 1) })).toBe(after)
  })

  const END = (2n ** 256n - 1n).toString()

  test.each([
    [before, 'over', { validBefore: String(NOW - 1) }],
    [before, 'nearly over', { validBefore: String(NOW + 11) }],
    [after, 'not open by our clock', { validAfter: String(NOW + 1) }],
    [after, 'not open by our clock, and without end', { validAfter: String(NOW + 1), validBefore: END }],
  ])('error: %s, with the transfer, which may have settled while the window was open: %s', (reason, _what, change) => {
    const signed = { ...authorization, ...change }
    const refused = { ok: false, reason, payer: PAYER }
    const outOfWindow = {
      payment: expect.any(Object),
      transfer: { ...transfer, authorization: signed },
      policy: 'included',
    }
    expect(admit(v2({ authorization: change }), rules)).toEqual({ ...refused, x402Version: 2, outOfWindow })
    expect(admit(v1({ authorization: change }), rules)).toEqual({
      ...refused,
      x402Version: 1,
      outOfWindow: { ...outOfWindow, transfer: { ...outOfWindow.transfer, x402Version: 1 } },
    })
  })

  test('error: a window that was never open cannot have settled anything', () => {
    const never = { validAfter: String(NOW + 100), validBefore: String(NOW + 99) }
    expect(admit(v2({ authorization: never }), rules)).toEqual({
      ok: false,
      x402Version: 2,
      reason: after,
      payer: PAYER,
    })
  })

  test('error: an expired payment with another fault cannot have settled either', () => {
    const change = { authorization: { validBefore: String(NOW - 1) }, required: { amount: '10001' } }
    expect(admit(v2(change), rules)).not.toHaveProperty('outOfWindow')
  })
})
