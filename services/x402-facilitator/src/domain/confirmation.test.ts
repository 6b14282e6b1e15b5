import { CONFIRMATIONS } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { confirmationOf, countsAt, reachedBy, routePolicies } from './confirmation.ts'
import { STATES } from './payment-state.ts'

describe('countsAt', () => {
  test('default: what has come so far counts for that policy and for each below it', () => {
    expect(CONFIRMATIONS.filter((policy) => countsAt('safe', policy))).toEqual(['preconfirmed', 'included', 'safe'])
  })

  test('behavior: nothing counts under any policy whose money did not move', () => {
    const idle = STATES.filter((state) => reachedBy(state) === null)
    expect(idle).toEqual(['absent', 'claimed', 'refused', 'verified', 'signed', 'broadcast', 'reverted', 'failed'])
    for (const state of idle) expect(CONFIRMATIONS.filter((policy) => countsAt(state, policy))).toEqual([])
  })
})

test('confirmationOf: the policy that is asked for stands beside what is reached, whatever was asked before', () => {
  expect(confirmationOf('final', 'preconfirmed')).toEqual({ policy: 'preconfirmed', reached: 'finalized' })
})

describe('routePolicies', () => {
  const chains = new Map([
    ['eip155:8453', { confirmation: { default: 'included', allowed: ['included', 'safe'] } } as const],
  ])

  test('default: the policies as they are set', () => {
    expect(routePolicies('ROUTE', { 'eip155:8453': 'safe' }, chains).get('eip155:8453')).toBe('safe')
  })

  test('error: each that is not allowed, and each network that is not served', () => {
    const asked = { 'eip155:8453': 'preconfirmed', 'eip155:5042': 'included' } as const
    expect(() => routePolicies('ROUTE', asked, chains)).toThrow(
      'ROUTE: "preconfirmed" is not allowed on eip155:8453 (included, safe); ROUTE: eip155:5042 is not served',
    )
  })
})
