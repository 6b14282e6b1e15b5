import { describe, expect, test } from 'vitest'
import { listed, payment, pricedOperation, unreadOperation } from '../../test/support/listed.ts'
import { serviceOf } from './service-shape.ts'

describe('serviceOf', () => {
  const { amount: _, ...shownPayment } = payment()

  test('default: returns a listing in the frozen shape', () => {
    expect(serviceOf(listed())).toEqual({
      id: 'answers',
      name: 'Answers',
      description: 'Answers questions',
      category: 'data',
      tier: 'verified',
      group: 'added',
      fee: { bps: 500, label: '5% network fee' },
      verified: true,
      verification: 'verified',
      wrapped: false,
      lastCheckedAt: '2026-11-20T12:31:00.000Z',
      liveness: { uptime7d: 0.5, latencyP50Ms: 1, latencyP95Ms: 2, checks7d: 3 },
      conformance: { declaredVersion: 2, versionConformant: true, offerTransport: 'header', issues: [] },
      price: '0.01',
      networks: ['eip155:8453'],
      endpoints: [
        {
          name: 'Ask',
          method: 'GET',
          url: 'https://api.example/ask',
          price: '0.01',
          description: 'Answers one question',
          payment: shownPayment,
        },
      ],
    })
  })

  test('behavior: endpoints with unread offers are left out, the lowest price counts, and each network appears once', () => {
    const operations = [
      unreadOperation({ name: 'unread' }),
      pricedOperation({ name: 'a', price: '0.2' }),
      pricedOperation({ name: 'b', price: '0.1', payment: payment({ network: 'eip155:84532' }) }),
      pricedOperation({ name: 'c', price: '0.3' }),
    ]
    const service = serviceOf(listed({ operations }))
    expect(service.endpoints.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(service).toMatchObject({ price: '0.1', networks: ['eip155:8453', 'eip155:84532'] })
  })

  test.each([
    ['verified', 'added', 'verified', true],
    ['verified', 'external', 'verified', true],
    ['requested', 'external', 'mirrored', false],
    ['none', 'external', 'mirrored', false],
    ['none', 'added', 'listed', false],
    ['requested', 'partner', 'listed', false],
    ['none', 'svc', 'listed', false],
  ] as const)('behavior: %s in group %s has the tier %s', (verification, group, tier, verified) => {
    expect(serviceOf(listed({ verification, group }))).toMatchObject({ tier, verified, verification, group })
  })

  test('behavior: a listing that was never checked has no time of its last check', () => {
    expect(serviceOf(listed({}, { checkedAt: null })).lastCheckedAt).toBeNull()
  })

  test('behavior: the shape is made once for as long as the listing is held', () => {
    const one = listed()
    expect(serviceOf(one)).toBe(serviceOf(one))
  })
})
