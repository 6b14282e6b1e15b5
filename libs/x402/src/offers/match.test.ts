import { ZERO_ADDRESS } from '@callboard/values'
import { x402ResourceServer } from '@x402/core/server'
import { describe, expect, test } from 'vitest'
import { ARC_TOKEN, PAY_TO, PAYMENT, REQUIREMENTS, THIRD_PARTY, TOKENS } from '../../test/vectors.ts'
import type { PaymentRequirements } from '../messages/payment-requirements.ts'
import { choosePayable, findRequirement, matchesRequirement, payability } from './match.ts'

const ON_ARC = {
  ...REQUIREMENTS,
  network: ARC_TOKEN.network,
  asset: ARC_TOKEN.asset,
  extra: { name: 'USDC', version: '2' },
}

const reference = new x402ResourceServer()
const referenceMatches = (required: PaymentRequirements, accepted: PaymentRequirements) => {
  const payment = { ...PAYMENT, accepted } as Parameters<typeof reference.findMatchingRequirements>[1]
  const available = [required] as Parameters<typeof reference.findMatchingRequirements>[0]
  return reference.findMatchingRequirements(available, payment) !== undefined
}

describe('matchesRequirement', () => {
  test.each<[string, object, boolean]>([
    ['the same entry', {}, true],
    ['more members in extra', { extra: { ...REQUIREMENTS.extra, note: 1 } }, true],
    ['another amount', { amount: '1' }, false],
    ['another payee', { payTo: THIRD_PARTY }, false],
    ['another asset', { asset: THIRD_PARTY }, false],
    ['another network', { network: 'eip155:1' }, false],
    ['another time limit', { maxTimeoutSeconds: 61 }, false],
    ['a member outside extra', { note: 1 }, false],
    ['no extra', { extra: undefined }, false],
    ['a changed extra', { extra: { name: 'USDC', version: '2' } }, false],
  ])('behavior: judges %s as @x402/core does', (_, change, expected) => {
    const accepted: PaymentRequirements = { ...REQUIREMENTS, ...change }
    expect(matchesRequirement(REQUIREMENTS, accepted)).toBe(expected)
    expect(referenceMatches(REQUIREMENTS, accepted)).toBe(expected)
  })

  test('behavior: EVM addresses match in any letter case', () => {
    const lower = { ...REQUIREMENTS, asset: REQUIREMENTS.asset.toLowerCase(), payTo: PAY_TO.toLowerCase() }
    expect(matchesRequirement(REQUIREMENTS, lower)).toBe(true)
  })

  test('behavior: addresses of other chains match letter for letter', () => {
    const onSolana = {
      ...REQUIREMENTS,
      network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      payTo: '9xQe',
      asset: 'EPjF',
    } as const
    expect(matchesRequirement(onSolana, { ...onSolana })).toBe(true)
    expect(matchesRequirement(onSolana, { ...onSolana, payTo: '9xqe' })).toBe(false)
    expect(matchesRequirement(onSolana, { ...onSolana, asset: 'EPJF' })).toBe(false)
  })

  test('default: finds the accepted entry among those offered', () => {
    expect(findRequirement([REQUIREMENTS, ON_ARC], { ...ON_ARC })).toBe(ON_ARC)
    expect(findRequirement([REQUIREMENTS], ON_ARC)).toBeUndefined()
  })
})

describe('payability', () => {
  test('default: an exact EIP-3009 entry of a known token is payable', () => {
    expect(payability(REQUIREMENTS, TOKENS)).toEqual({ payable: true, token: TOKENS[0], payTo: PAY_TO })
    const lower = { ...REQUIREMENTS, asset: REQUIREMENTS.asset.toLowerCase(), payTo: PAY_TO.toLowerCase() }
    expect(payability(lower, TOKENS)).toMatchObject({ payable: true, payTo: PAY_TO })
  })

  test('behavior: extra.verifyingContract equal to the asset is not a look-alike', () => {
    const extra = { ...REQUIREMENTS.extra, verifyingContract: REQUIREMENTS.asset }
    expect(payability({ ...REQUIREMENTS, extra }, TOKENS).payable).toBe(true)
  })

  test('behavior: extra.verifyingContract can be the asset in any letter case', () => {
    for (const [asset, verifyingContract] of [
      [REQUIREMENTS.asset, REQUIREMENTS.asset.toLowerCase()],
      [REQUIREMENTS.asset.toLowerCase(), REQUIREMENTS.asset],
    ] as const)
      expect(
        payability({ ...REQUIREMENTS, asset, extra: { ...REQUIREMENTS.extra, verifyingContract } }, TOKENS).payable,
      ).toBe(true)
  })

  test.each([
    ['the transfer method by name', { assetTransferMethod: 'eip3009' }],
    ['no flow', { paymentFlow: null }],
    ['the flow authorization', { paymentFlow: 'authorization' }],
    ['the flow upfront', { paymentFlow: 'upfront' }],
    ['the flow escrow', { paymentFlow: 'escrow' }],
    ['a contract that is no text', { verifyingContract: 7 }],
  ])('behavior: an entry with %s is payable', (_, more) => {
    expect(payability({ ...REQUIREMENTS, extra: { ...REQUIREMENTS.extra, ...more } }, TOKENS).payable).toBe(true)
  })

  test('behavior: one second more than the margin is enough time, and one base unit is enough of an amount', () => {
    expect(payability({ ...REQUIREMENTS, maxTimeoutSeconds: 7, amount: '1' }, TOKENS).payable).toBe(true)
  })

  test.each<[string, object]>([
    ['scheme', { scheme: 'upto' }],
    ['scheme', { scheme: 'auth-capture' }],
    ['network', { network: 'eip155:1' }],
    ['network', { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }],
    ['asset', { asset: THIRD_PARTY }],
    ['gateway-batched', { ...ON_ARC, extra: { name: 'GatewayWalletBatched', version: '1' } }],
    [
      'gateway-batched',
      { ...ON_ARC, extra: { ...ON_ARC.extra, verifyingContract: '0x77777777Dcc4d5A8B6E418Fd04D8997ef11000eE' } },
    ],
    ['transfer-method', { extra: { ...REQUIREMENTS.extra, assetTransferMethod: 'permit2' } }],
    ['eip712-domain', { extra: undefined }],
    ['eip712-domain', { extra: { name: 'USD Coin', version: '1' } }],
    ['eip712-domain', { extra: { name: 'USDC', version: '2' } }],
    ['payee', { payTo: 'not an address' }],
    ['payee', { payTo: ZERO_ADDRESS }],
    ['amount', { amount: '0' }],
    ['timeout', { maxTimeoutSeconds: 6 }],
    ['payment-flow', { extra: { ...REQUIREMENTS.extra, paymentFlow: 'later' } }],
  ])('error: not payable for its %s', (reason, change) => {
    expect(payability({ ...REQUIREMENTS, ...change }, TOKENS)).toEqual({ payable: false, reason })
  })
})

describe('choosePayable', () => {
  const upto = { ...REQUIREMENTS, scheme: 'upto' }

  test('default: the first payable entry in the caller’s order of networks', () => {
    const accepts = [upto, REQUIREMENTS, ON_ARC]
    expect(choosePayable(accepts, TOKENS, ['eip155:5042', 'eip155:8453'])).toBe(ON_ARC)
    expect(choosePayable(accepts, TOKENS, ['eip155:8453', 'eip155:5042'])).toBe(REQUIREMENTS)
  })

  test('behavior: does not choose a network that the caller did not name', () => {
    expect(choosePayable([REQUIREMENTS, ON_ARC], TOKENS, ['eip155:1'])).toBeUndefined()
    expect(choosePayable([upto], TOKENS, ['eip155:8453'])).toBeUndefined()
  })
})
