import { describe, expect, test } from 'vitest'
import { REQUIREMENTS } from '../../test/vectors.ts'
import { EvmNetworkText, ExactEvmExtra, ExactRequirements, PaymentRequirements } from './payment-requirements.ts'

const takes = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success

describe('PaymentRequirements', () => {
  test('default: accepts any scheme and chain, and keeps every non-standard member as sent', () => {
    const foreign = {
      scheme: 'upto',
      network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      amount: '1',
      asset: 'EPjF',
      payTo: '9xQe',
      maxTimeoutSeconds: 1,
      extra: { feePayer: 'x' },
      outputSchema: { a: [1] },
    }
    expect(PaymentRequirements.parse(foreign)).toStrictEqual(foreign)
  })

  test('behavior: a null member counts as absent, even within extra', () => {
    const nulled = { ...REQUIREMENTS, note: null, extra: { ...REQUIREMENTS.extra, paymentFlow: null } }
    expect(PaymentRequirements.parse(nulled)).toStrictEqual(REQUIREMENTS)
    const { extra: _, ...bare } = REQUIREMENTS
    expect(PaymentRequirements.parse({ ...bare, extra: null })).toStrictEqual(bare)
  })

  test.each([
    ['scheme', 64],
    ['asset', 128],
    ['payTo', 128],
  ])('behavior: %s has 1 to %i characters', (member, most) => {
    const of = (length: number) => takes(PaymentRequirements, { ...REQUIREMENTS, [member]: 'x'.repeat(length) })
    expect([0, 1, most, most + 1].map(of)).toEqual([false, true, true, false])
  })

  test.each(['scheme', 'network', 'amount', 'asset', 'payTo', 'maxTimeoutSeconds'])(
    'error: is invalid without %s',
    (member) => {
      expect(takes(PaymentRequirements, { ...REQUIREMENTS, [member]: undefined })).toBe(false)
      expect(takes(PaymentRequirements, { ...REQUIREMENTS, [member]: null })).toBe(false)
    },
  )

  test.each([
    ['a time limit of nothing', { maxTimeoutSeconds: 0 }],
    ['a time limit with a fraction', { maxTimeoutSeconds: 1.5 }],
    ['an amount that is a number', { amount: 10_000 }],
    ['a network by its name', { network: 'base' }],
    ['an extra that is text', { extra: 'USDC' }],
  ])('error: is invalid with %s', (_, change) => {
    expect(takes(PaymentRequirements, { ...REQUIREMENTS, ...change })).toBe(false)
  })
})

describe('ExactEvmExtra', () => {
  const domain = { name: 'USD Coin', version: '2' }

  test.each([
    ['name', 128],
    ['version', 32],
  ])('behavior: %s has 1 to %i characters', (member, most) => {
    const of = (length: number) => takes(ExactEvmExtra, { ...domain, [member]: 'x'.repeat(length) })
    expect([0, 1, most, most + 1].map(of)).toEqual([false, true, true, false])
  })

  test.each([
    [{}, true],
    [{ assetTransferMethod: 'eip3009' }, true],
    [{ assetTransferMethod: 'permit2' }, false],
    [{ assetTransferMethod: '' }, false],
    [{ paymentFlow: 'authorization' }, true],
    [{ paymentFlow: 'upfront' }, true],
    [{ paymentFlow: 'escrow' }, true],
    [{ paymentFlow: 'later' }, false],
    [{ paymentFlow: '' }, false],
    [{ note: 1 }, false],
    [{ name: undefined }, false],
    [{ version: undefined }, false],
  ])('behavior: a domain with %j is valid: %j', (more, taken) => {
    expect(takes(ExactEvmExtra, { ...domain, ...more })).toBe(taken)
  })
})

test('EvmNetworkText: accepts eip155 networks alone', () => {
  expect(takes(EvmNetworkText, 'eip155:8453')).toBe(true)
  expect(takes(EvmNetworkText, 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')).toBe(false)
})

describe('ExactRequirements', () => {
  test('default: accepts the requirement that we emit', () => {
    expect(ExactRequirements.parse(REQUIREMENTS)).toStrictEqual(REQUIREMENTS)
  })

  test.each(['scheme', 'network', 'amount', 'asset', 'payTo', 'maxTimeoutSeconds', 'extra'])(
    'error: is invalid without %s',
    (member) => {
      expect(takes(ExactRequirements, { ...REQUIREMENTS, [member]: undefined })).toBe(false)
    },
  )

  test.each([
    ['a member of no standard', { note: 1 }],
    ['another scheme', { scheme: 'upto' }],
    ['an empty scheme', { scheme: '' }],
    ['a chain that is not EVM', { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }],
    ['a payee that is no address', { payTo: 'me' }],
    ['a token that is no address', { asset: 'USDC' }],
    ['an amount with a fraction', { amount: '0.01' }],
    ['no time to pay', { maxTimeoutSeconds: 0 }],
  ])('error: is invalid with %s', (_, change) => {
    expect(takes(ExactRequirements, { ...REQUIREMENTS, ...change })).toBe(false)
  })
})
