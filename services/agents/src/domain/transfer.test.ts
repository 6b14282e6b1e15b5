import { chainOf, chainSet } from '@callboard/evm'
import { describe, expect, test } from 'vitest'
import { answerOf, paymentOf, ruleOn } from './transfer.ts'

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const owner = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const other = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const nonce = `0x${'ab'.repeat(32)}` as const
const order = { from: wallet, to: other, value: '1', validAfter: '0', validBefore: '1900000000', nonce } as const
const link = { wallet, owner } as const

describe('ruleOn', () => {
  test.each([
    ['the owner', { to: owner }, undefined, 'relay'],
    ['a live sibling', {}, 'live', 'relay'],
    ['a sibling whose link is ending', {}, 'ending', 'report'],
    ['a sibling whose link is over', {}, 'over', 'report'],
    ['a sibling that is not yet linked', {}, 'approving', { refusal: 'recipient_not_allowed' }],
    ['a third party', {}, undefined, { refusal: 'recipient_not_allowed', field: 'authorization.to' }],
    ['itself', { to: wallet }, 'live', { refusal: 'recipient_not_allowed', field: 'authorization.to' }],
    ['from another wallet', { from: owner }, 'live', { refusal: 'recipient_not_allowed', field: 'authorization.from' }],
    ['nothing at all', { value: '0' }, 'live', { refusal: 'invalid_request', field: 'authorization.value' }],
  ] as const)('%s', (_who, change, payee, expected) => {
    const ruling = ruleOn({ ...order, ...change }, link, payee)
    if (typeof expected === 'string') expect(ruling).toBe(expected)
    else expect(ruling).toMatchObject(expected)
  })

  test('an owner whose wallet is the agent’s own is not paid from it', () => {
    expect(ruleOn({ ...order, to: wallet }, { wallet, owner: wallet }, undefined)).toMatchObject({
      refusal: 'recipient_not_allowed',
    })
  })
})

test('paymentOf: the authorization unchanged, for the chain’s USDC, without a resource', () => {
  const chain = chainOf(chainSet({ networks: ['eip155:8453'] }), 'eip155:8453')
  const transfer = { network: 'eip155:8453', signature: '0x1234', authorization: order } as const
  const { paymentPayload, paymentRequirements } = paymentOf(transfer, chain)
  expect(paymentPayload).toEqual({
    x402Version: 2,
    accepted: paymentRequirements,
    payload: { signature: '0x1234', authorization: order },
  })
  expect(paymentRequirements).toEqual({
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '1',
    asset: chain.usdc.address,
    payTo: other,
    maxTimeoutSeconds: 300,
    extra: { name: 'USD Coin', version: '2', assetTransferMethod: 'eip3009' },
  })
})

describe('answerOf', () => {
  const sent = `0x${'cd'.repeat(32)}`
  const settled = { payer: wallet, network: 'eip155:8453' } as const
  const no = (errorReason: string, transaction = '') =>
    answerOf({ ...settled, success: false, errorReason, transaction })
  const EXPIRED = 'invalid_exact_evm_payload_authorization_valid_before'

  test('a success is passed on as the facilitator’s answer', () => {
    const answer = { ...settled, success: true, transaction: sent, amount: '1' } as const
    expect(answerOf(answer)).toEqual(answer)
  })

  test('503 settlement_pending, with the transaction if there is one: never “failed”', () => {
    const pending = { refusal: 'settlement_pending', retryAfterSeconds: 2 }
    expect(no('settlement_pending', sent)).toMatchObject({ ...pending, details: { transaction: sent } })
    expect(no('settlement_pending')).toMatchObject({ ...pending, details: {} })
  })

  test('an expired order is bad input if nothing was sent, and a failed transfer otherwise', () => {
    expect(no(EXPIRED)).toMatchObject({ refusal: 'invalid_request', field: 'authorization.validBefore' })
    const failed = { refusal: 'transfer_failed', details: { reason: EXPIRED, transaction: sent } }
    expect(no(EXPIRED, sent)).toEqual(failed)
  })

  test('422 unsupported_network: the facilitator refused the network', () => {
    expect(no('invalid_network')).toMatchObject({ refusal: 'unsupported_network', field: 'network' })
  })

  test('422 transfer_failed: includes the reason, whatever it is', () => {
    const reason = 'invalid_exact_evm_signature'
    expect(no(reason)).toEqual({ refusal: 'transfer_failed', details: { reason } })
    expect(answerOf({ ...settled, success: false, transaction: '' })).toEqual({
      refusal: 'transfer_failed',
      details: { reason: 'unexpected_settle_error' },
    })
  })
})
