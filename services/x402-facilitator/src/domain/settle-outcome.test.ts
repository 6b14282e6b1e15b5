import { CONFIRMATIONS, type Confirmation, V1_NETWORKS, type V1Networks } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import type { State } from './payment-state.ts'
import {
  notSettled,
  PUBLIC_STATES,
  publicState,
  reasonOfReverted,
  type StoredOutcome,
  settleResponse,
  USED_OTHERWISE,
} from './settle-outcome.ts'

const payer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const ours = `0x${'aa'.repeat(32)}` as const
const theirs = `0x${'bb'.repeat(32)}` as const
const row = (state: State, change: Partial<StoredOutcome> = {}): StoredOutcome => ({
  state,
  payer,
  network: 'eip155:8453',
  amount: '10000',
  reason: null,
  tx_hash: ours,
  settled_tx: null,
  ...change,
})
const respond = (stored: StoredOutcome, x402Version: 1 | 2 = 2, v1Networks: V1Networks = V1_NETWORKS) =>
  settleResponse(stored, { x402Version, v1Networks }, 'included')
const under = (policy: Confirmation, state: State) =>
  settleResponse(row(state, { settled_tx: theirs }), { x402Version: 2, v1Networks: V1_NETWORKS }, policy)

const about = { payer, network: 'eip155:8453' }
const pending = { success: false, errorReason: 'settlement_pending', ...about }

test('PUBLIC_STATES: only moved money is settled, and money that may still move is never failed or absent', () => {
  expect(PUBLIC_STATES).toEqual({
    absent: 'absent',
    claimed: 'claimed',
    refused: 'failed',
    verified: 'claimed',
    signed: 'unknown',
    broadcast: 'unknown',
    preconfirmed: 'settled',
    mined: 'settled',
    safe: 'settled',
    final: 'settled',
    reverted: 'unknown',
    failed: 'failed',
  })
})

describe('settleResponse', () => {
  test.each([
    ['mined', 'included'],
    ['safe', 'safe'],
    ['final', 'finalized'],
  ] as const)(
    'default: %s is a success that names the transaction that moved the money, and how far it is: %s',
    (state, reached) => {
      const extra = { confirmation: { policy: 'included', reached } }
      const success = { success: true, ...about, transaction: theirs, amount: '10000', extra }
      expect(respond(row(state, { settled_tx: theirs }))).toEqual(success)
      expect(respond(row(state))).toEqual({ ...success, transaction: '' })
    },
  )

  test.each(['refused', 'failed'] as const)('behavior: %s is a failure with the stored reason', (state) => {
    const reason = 'invalid_exact_evm_transaction_failed'
    const failure = { success: false, errorReason: reason, ...about }
    expect(respond(row(state, { reason }))).toEqual({ ...failure, transaction: ours })
    expect(respond(row(state, { reason, settled_tx: theirs }))).toEqual({ ...failure, transaction: theirs })
    expect(respond(row(state, { reason, tx_hash: null }))).toEqual({ ...failure, transaction: '' })
  })

  test.each(['absent', 'claimed', 'verified', 'signed', 'broadcast'] as const)(
    'behavior: %s is pending, with our transaction once there is one',
    (state) => {
      const extra = { confirmation: { policy: 'included', reached: null } }
      expect(respond(row(state, { tx_hash: null }))).toEqual({ ...pending, transaction: '', extra })
      expect(respond(row(state))).toEqual({ ...pending, transaction: ours, extra })
    },
  )

  test('behavior: reverted is pending, with the failed transaction, and says what its payer can do', () => {
    const reverted = row('reverted', { reason: 'invalid_exact_evm_insufficient_balance', settled_tx: theirs })
    expect(respond(reverted)).toEqual({
      ...pending,
      errorMessage: expect.stringContaining('may still be used'),
      transaction: theirs,
      extra: { confirmation: { policy: 'included', reached: null } },
    })
  })

  test('behavior: reverted after another use of the authorization is pending, and says until when', () => {
    expect(respond(row('reverted', { reason: USED_OTHERWISE, settled_tx: theirs }))).toEqual({
      ...pending,
      errorMessage: expect.stringContaining('once that block is final'),
      transaction: theirs,
      extra: { confirmation: { policy: 'included', reached: null } },
    })
  })

  test('behavior: a payment is a success only under the policies that it has reached, and pending under the others', () => {
    const states = ['preconfirmed', 'mined', 'safe', 'final'] as const
    const granted = CONFIRMATIONS.map((policy) => states.filter((state) => under(policy, state).success))
    expect(granted).toEqual([states, states.slice(1), states.slice(2), states.slice(3)])
    expect(under('finalized', 'mined')).toEqual({
      ...{ ...pending, transaction: theirs },
      extra: { confirmation: { policy: 'finalized', reached: 'included' } },
    })
  })

  test('behavior: a payment short of the requested policy is unknown, and any other has the word for its state', () => {
    expect([publicState('mined', 'finalized'), publicState('preconfirmed', 'included')]).toEqual(['unknown', 'unknown'])
    expect([publicState('mined', 'included'), publicState('claimed', 'finalized')]).toEqual(['settled', 'claimed'])
  })

  test.each(CONFIRMATIONS)('behavior: a failed payment is a failure under %s too', (policy) => {
    expect(under(policy, 'failed')).toMatchObject({ success: false, errorReason: 'unexpected_settle_error' })
    expect(publicState('failed', policy)).toBe('failed')
  })

  test.each([null, 'no_such_reason'])('behavior: a failure whose stored reason is %s is unexpected', (reason) => {
    expect(respond(row('failed', { reason }))).toMatchObject({ errorReason: 'unexpected_settle_error' })
  })

  test('behavior: version 1 uses its own words for reason and network', () => {
    const failed = row('failed', { reason: 'invalid_exact_evm_transaction_failed' })
    expect(respond(failed, 1)).toMatchObject({ errorReason: 'invalid_transaction_state', network: 'base' })
    expect(respond(row('final', { settled_tx: ours }), 1)).toMatchObject({ success: true, network: 'base' })
    expect(respond(row('claimed'), 1)).toMatchObject({ errorReason: 'settlement_pending', network: 'base' })
  })

  test('behavior: a network for which version 1 has no name keeps its own', () => {
    expect(respond(row('claimed'), 1, new Map())).toMatchObject({ network: 'eip155:8453' })
  })
})

describe('reasonOfReverted', () => {
  const poor = 'invalid_exact_evm_insufficient_balance'

  test('default: why the transaction failed', () => expect(reasonOfReverted(poor, false)).toBe(poor))

  test('behavior: says that the authorization was used otherwise only while the token says so', () => {
    expect(reasonOfReverted(poor, true)).toBe(USED_OTHERWISE)
    expect(reasonOfReverted(USED_OTHERWISE, true)).toBe(USED_OTHERWISE)
    expect(reasonOfReverted(USED_OTHERWISE, false)).toBe('invalid_exact_evm_transaction_failed')
  })

  test.each([null, 'no_such_reason'])(
    'behavior: says only that the transaction failed where %s is stored',
    (stored) => {
      expect(reasonOfReverted(stored, false)).toBe('invalid_exact_evm_transaction_failed')
    },
  )
})

describe('notSettled', () => {
  const reason = 'invalid_payload'

  test('default: the reason, and no transaction', () => {
    expect(notSettled({ reason }, { network: 'base' })).toStrictEqual({
      success: false,
      errorReason: reason,
      transaction: '',
      network: 'base',
    })
  })

  test('behavior: includes the message and the payer where they are known', () => {
    expect(notSettled({ reason, message: 'why', payer }, { network: 'base' })).toMatchObject({
      errorMessage: 'why',
      payer,
    })
  })

  test('behavior: repeats at most 64 characters of the network, and nothing that is not text', () => {
    expect(notSettled({ reason }, { network: 'x'.repeat(65) })).toHaveProperty('network', 'x'.repeat(64))
    expect(notSettled({ reason }, { network: { toString: 'x' } })).toHaveProperty('network', '')
    expect(notSettled({ reason }, {})).toHaveProperty('network', '')
  })
})
