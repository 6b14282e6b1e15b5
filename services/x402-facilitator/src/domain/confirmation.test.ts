import { CONFIRMATIONS } from '@callboard/x402'
import { describe, expect, test } from 'vitest'
import { CONFIRMATION_FIELD, confirmationOf, countsAt, policyAsked, reachedBy, routePolicies } from './confirmation.ts'
import { STATES } from './payment-state.ts'

describe('policyAsked', () => {
  const rule = { default: 'included', allowed: ['included', 'safe'] } as const
  const asking = (confirmation?: unknown) => ({
    ...{ scheme: 'exact', network: 'eip155:8453', asset: '0xA', amount: '1', payTo: '0xB', maxTimeoutSeconds: 60 },
    ...(confirmation === undefined ? {} : { extra: { name: 'USD Coin', version: '2', confirmation } }),
  })
  const asked = (confirmation?: unknown) => policyAsked(asking(confirmation) as never, rule)

  test('default: the operator’s policy, where the offer asks for none', () => {
    expect(asked()).toEqual({ ok: true, policy: 'included' })
    expect(policyAsked({ ...asking(), extra: {} } as never, rule)).toEqual({ ok: true, policy: 'included' })
  })

  test('behavior: the policy that the offer asks for, where it is allowed', () => {
    expect(asked('safe')).toEqual({ ok: true, policy: 'safe' })
  })

  test('error: a policy that is not allowed or does not exist is refused, naming those that are', () => {
    expect(asked('finalized')).toEqual({
      ok: false,
      message: 'extra.confirmation: "finalized" is not allowed on eip155:8453. Allowed: "included", "safe".',
    })
    expect(asked('soon')).toMatchObject({ ok: false, message: expect.stringContaining('no such policy is known') })
    expect(asked(3)).toMatchObject({ ok: false })
    expect(CONFIRMATION_FIELD).toBe('paymentRequirements.extra.confirmation')
  })
})

test('reachedBy: each state of moved money reaches its own policy', () => {
  expect((['preconfirmed', 'mined', 'safe', 'final'] as const).map(reachedBy)).toEqual([...CONFIRMATIONS])
})

describe('countsAt', () => {
  test('default: a state counts for the policy that it reaches and for each weaker one', () => {
    expect(CONFIRMATIONS.filter((policy) => countsAt('safe', policy))).toEqual(['preconfirmed', 'included', 'safe'])
  })

  test('behavior: a state in which no money moved counts under no policy', () => {
    const idle = STATES.filter((state) => reachedBy(state) === null)
    expect(idle).toEqual(['absent', 'claimed', 'refused', 'verified', 'signed', 'broadcast', 'reverted', 'failed'])
    for (const state of idle) expect(CONFIRMATIONS.filter((policy) => countsAt(state, policy))).toEqual([])
  })
})

test('confirmationOf: shows the requested policy next to the one reached, whatever was requested before', () => {
  expect(confirmationOf('final', 'preconfirmed')).toEqual({ policy: 'preconfirmed', reached: 'finalized' })
})

describe('routePolicies', () => {
  const chains = new Map([
    ['eip155:8453', { confirmation: { default: 'included', allowed: ['included', 'safe'] } } as const],
  ])

  test('default: returns the policies as configured', () => {
    expect(routePolicies('ROUTE', { 'eip155:8453': 'safe' }, chains).get('eip155:8453')).toBe('safe')
  })

  test('error: names each policy that is not allowed and each network that is not served', () => {
    const asked = { 'eip155:8453': 'preconfirmed', 'eip155:5042': 'included' } as const
    expect(() => routePolicies('ROUTE', asked, chains)).toThrow(
      'ROUTE: "preconfirmed" is not allowed on eip155:8453 (included, safe); ROUTE: eip155:5042 is not served',
    )
  })
})
