import { describe, expect, test } from 'vitest'
import {
  ARC_TOKEN,
  AUTHORIZATION,
  BASE_DOMAIN,
  BASE_USDC,
  DIGEST,
  NOW,
  PAY_TO,
  PAYER,
  PAYMENT,
  REQUIREMENTS,
  SIGNATURE,
  THIRD_PARTY,
  TOKENS,
} from '../../test/vectors.ts'
import type { PresentedPayment } from '../messages/presented-payment.ts'
import { checkAuthorization, transferDigest } from './check-authorization.ts'

const CONDITIONS = { tokens: TOKENS, now: NOW }

const PRESENTED: PresentedPayment = {
  x402Version: 2,
  scheme: 'exact',
  network: 'eip155:8453',
  payload: PAYMENT.payload,
  extensions: {},
  requirement: REQUIREMENTS,
}

const requiring = (change: object): Partial<PresentedPayment> => ({ requirement: { ...REQUIREMENTS, ...change } })
const signing = (change: object): Partial<PresentedPayment> => ({
  payload: { ...PAYMENT.payload, authorization: { ...AUTHORIZATION, ...change } },
})

describe('checkAuthorization', () => {
  test('default: a sound payment becomes a transfer ready for the signature check', () => {
    const verdict = checkAuthorization(PRESENTED, CONDITIONS)
    const transfer = {
      x402Version: 2,
      network: 'eip155:8453',
      asset: BASE_USDC,
      payTo: PAY_TO,
      amount: '10000',
      domain: BASE_DOMAIN,
      authorization: AUTHORIZATION,
      signature: SIGNATURE,
    }
    expect(verdict).toStrictEqual({ ok: true, transfer })
    expect(verdict.ok && transferDigest(verdict.transfer)).toBe(DIGEST)
  })

  test('behavior: the transfer method can be named if it is EIP-3009', () => {
    const named = requiring({ extra: { ...REQUIREMENTS.extra, assetTransferMethod: 'eip3009' } })
    expect(checkAuthorization({ ...PRESENTED, ...named }, CONDITIONS).ok).toBe(true)
  })

  test('behavior: accounts that send settlements do not affect other payees', () => {
    expect(checkAuthorization(PRESENTED, { ...CONDITIONS, signers: [THIRD_PARTY] }).ok).toBe(true)
  })

  test('behavior: the window is open from validAfter to six seconds before validBefore, both included', () => {
    const at = (now: number, change: object) =>
      checkAuthorization({ ...PRESENTED, ...signing(change) }, { tokens: TOKENS, now }).ok
    expect(at(NOW, { validAfter: `${NOW}` })).toBe(true)
    expect(at(NOW, { validAfter: `${NOW + 1}` })).toBe(false)
    expect(at(NOW, { validBefore: `${NOW + 6}` })).toBe(true)
    expect(at(NOW, { validBefore: `${NOW + 5}` })).toBe(false)
  })

  test('behavior: a wider margin refuses a window that closes before the payment is final', () => {
    const closing = { ...PRESENTED, ...signing({ validBefore: `${NOW + 20}` }) }
    expect(checkAuthorization(closing, { ...CONDITIONS, marginSeconds: 21 }).ok).toBe(false)
    expect(checkAuthorization(closing, { ...CONDITIONS, marginSeconds: 20 }).ok).toBe(true)
  })

  test('behavior: accepts an authorization that never ends', () => {
    expect(checkAuthorization({ ...PRESENTED, ...signing({ validBefore: `${2n ** 256n - 1n}` }) }, CONDITIONS).ok).toBe(
      true,
    )
  })

  test('behavior: a requirement with addresses in lower case is the same requirement', () => {
    const lower = requiring({ asset: REQUIREMENTS.asset.toLowerCase(), payTo: REQUIREMENTS.payTo.toLowerCase() })
    expect(checkAuthorization({ ...PRESENTED, ...lower }, CONDITIONS).ok).toBe(true)
  })

  test.each([
    [
      'wrong amount, one less',
      signing({ value: '9999' }),
      'invalid_exact_evm_payload_authorization_value_mismatch',
      'invalid_exact_evm_payload_authorization_value',
    ],
    [
      'wrong amount, one more',
      signing({ value: '10001' }),
      'invalid_exact_evm_payload_authorization_value_mismatch',
      'invalid_exact_evm_payload_authorization_value',
    ],
    [
      'wrong recipient',
      signing({ to: THIRD_PARTY }),
      'invalid_exact_evm_recipient_mismatch',
      'invalid_exact_evm_payload_recipient_mismatch',
    ],
    ['wrong chain', { network: 'eip155:5042' } as const, 'invalid_exact_evm_network_mismatch', 'invalid_network'],
    [
      'expired',
      signing({ validBefore: `${NOW}` }),
      'invalid_exact_evm_payload_authorization_valid_before',
      'invalid_exact_evm_payload_authorization_valid_before',
    ],
    [
      'not yet valid',
      signing({ validAfter: `${NOW + 60}` }),
      'invalid_exact_evm_payload_authorization_valid_after',
      'invalid_exact_evm_payload_authorization_valid_after',
    ],
    ['another scheme accepted', { scheme: 'upto' }, 'invalid_exact_evm_scheme', 'unsupported_scheme'],
    ['another scheme required', requiring({ scheme: 'upto' }), 'invalid_exact_evm_scheme', 'unsupported_scheme'],
    [
      'no token domain',
      requiring({ extra: {} }),
      'invalid_exact_evm_missing_eip712_domain',
      'invalid_payment_requirements',
    ],
    ...['name', 'version'].flatMap((member) =>
      [undefined, '', 7].map((value): [string, Partial<PresentedPayment>, string, string] => [
        `a token domain whose ${member} is ${JSON.stringify(value)}`,
        requiring({ extra: { ...REQUIREMENTS.extra, [member]: value } }),
        'invalid_exact_evm_missing_eip712_domain',
        'invalid_payment_requirements',
      ]),
    ),
    [
      'no extra',
      requiring({ extra: undefined }),
      'invalid_exact_evm_missing_eip712_domain',
      'invalid_payment_requirements',
    ],
    [
      'permit2 required',
      requiring({ extra: { ...REQUIREMENTS.extra, assetTransferMethod: 'permit2' } }),
      'unsupported_payload_type',
      'invalid_payload',
    ],
    [
      'a chain we do not serve',
      { network: 'eip155:1', ...requiring({ network: 'eip155:1' }) } as const,
      'invalid_network',
      'invalid_network',
    ],
    [
      'a token we do not serve',
      requiring({ asset: THIRD_PARTY }),
      'invalid_payment_requirements',
      'invalid_payment_requirements',
    ],
    [
      'our token of another chain',
      requiring({ asset: ARC_TOKEN.asset }),
      'invalid_payment_requirements',
      'invalid_payment_requirements',
    ],
    [
      'an asset that is no address',
      requiring({ asset: 'USDC' }),
      'invalid_payment_requirements',
      'invalid_payment_requirements',
    ],
    [
      'a payee that is no address',
      requiring({ payTo: 'me' }),
      'invalid_payment_requirements',
      'invalid_payment_requirements',
    ],
    [
      'a false token name',
      requiring({ extra: { name: 'USDC', version: '2' } }),
      'invalid_exact_evm_token_name_mismatch',
      'invalid_exact_evm_token_name_mismatch',
    ],
    [
      'a false token version',
      requiring({ extra: { name: 'USD Coin', version: '1' } }),
      'invalid_exact_evm_token_version_mismatch',
      'invalid_exact_evm_token_version_mismatch',
    ],
  ])('error: %s', (_, change, v2, v1) => {
    const payment: PresentedPayment = { ...PRESENTED, ...change }
    expect(checkAuthorization(payment, CONDITIONS)).toStrictEqual({ ok: false, reason: v2, payer: PAYER })
    expect(checkAuthorization({ ...payment, x402Version: 1 }, CONDITIONS)).toStrictEqual({
      ok: false,
      reason: v1,
      payer: PAYER,
    })
  })

  test.each<[string, Partial<PresentedPayment>, string, string]>([
    [
      'an offer of nothing',
      { ...requiring({ amount: '0' }), ...signing({ value: '0' }) },
      'invalid_payment_requirements',
      'amount',
    ],
    [
      'a payer who pays itself',
      { ...requiring({ payTo: PAYER }), ...signing({ to: PAYER }) },
      'invalid_payload',
      'authorization.to',
    ],
    [
      'a payment to an account that sends settlements',
      { ...requiring({ payTo: THIRD_PARTY }), ...signing({ to: THIRD_PARTY }) },
      'invalid_payment_requirements',
      'payTo',
    ],
  ])('error: %s is refused under either version, with a message', (_, change, reason, field) => {
    const conditions = { ...CONDITIONS, signers: [THIRD_PARTY] }
    for (const x402Version of [1, 2] as const) {
      const verdict = checkAuthorization({ ...PRESENTED, ...change, x402Version }, conditions)
      expect(verdict).toEqual({ ok: false, reason, payer: PAYER, message: expect.stringContaining(`${field}: `) })
    }
  })

  test('error: a token on a network without a chain id is not settled', () => {
    const network = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
    const tokens = [{ network, asset: BASE_USDC, name: 'USD Coin', version: '2' }] as const
    const verdict = checkAuthorization({ ...PRESENTED, network, ...requiring({ network }) }, { tokens, now: NOW })
    expect(verdict).toMatchObject({ ok: false, reason: 'invalid_network' })
  })

  test('error: an authorization of zero against a price is an amount mismatch, as in the reference', () => {
    const verdict = checkAuthorization({ ...PRESENTED, ...signing({ value: '0' }) }, CONDITIONS)
    expect(verdict).toMatchObject({ reason: 'invalid_exact_evm_payload_authorization_value_mismatch' })
  })
})
