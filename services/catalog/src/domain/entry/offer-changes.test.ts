import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listed, payment, pricedOperation, unreadOperation } from '../../../test/support/listed.ts'
import { changedOffers, type OfferedFrom, offerChanges } from './offer-changes.ts'
import { offered } from './offered.ts'

const URL = 'https://api.example/ask'
const AT = '2026-11-20T12:00:00.000Z'
type Operation = ReturnType<typeof pricedOperation>

const version = (number: number, operations: readonly Operation[]): OfferedFrom => ({
  version: number,
  since: new Date(AT),
  offers: offered({ status: 'live', operations: [...operations] }) ?? [],
})
const changed = (before: readonly Operation[], after: readonly Operation[]) =>
  offerChanges([version(1, before), version(2, after)], 50)

describe('offerChanges', () => {
  test.each([
    ['price', { price: '0.02' }, '0.01', '0.02'],
    [
      'payTo',
      { payment: payment({ payTo: '0x0000000000000000000000000000000000000009' }) },
      payment().payTo,
      '0x0000000000000000000000000000000000000009',
    ],
    ['network', { payment: payment({ network: 'eip155:5042' }) }, 'eip155:8453', 'eip155:5042'],
    [
      'asset',
      { payment: payment({ asset: '0x0000000000000000000000000000000000000008' }) },
      payment().asset,
      '0x0000000000000000000000000000000000000008',
    ],
    ['scheme', { payment: payment({ scheme: 'upto' }) }, 'exact', 'upto'],
  ] as const)('a change of %s is reported with its old and its new value', (field, more, from, to) => {
    expect(changed([pricedOperation()], [pricedOperation(more)])).toEqual([
      { at: AT, method: 'GET', url: URL, field, from, to },
    ])
  })

  test('a window is reported when it changes, but not when it first appears or disappears', () => {
    const within = (maxTimeoutSeconds?: number) => [
      pricedOperation({ payment: payment(maxTimeoutSeconds ? { maxTimeoutSeconds } : {}) }),
    ]
    expect(changed(within(), within(60))).toEqual([])
    expect(changed(within(60), within())).toEqual([])
    expect(changed(within(60), within(300))).toMatchObject([{ field: 'maxTimeoutSeconds', from: '60', to: '300' }])
  })

  test('a schema is reported by its hash, which ignores the order of its members', () => {
    const taking = (inputSchema: Record<string, unknown>) => [{ ...pricedOperation(), inputSchema }]
    expect(changed(taking({ a: 1, b: [{ c: 1, d: 2 }] }), taking({ b: [{ d: 2, c: 1 }], a: 1 }))).toEqual([])
    expect(changed(taking({ a: 1 }), [pricedOperation()])).toEqual([
      {
        at: AT,
        method: 'GET',
        url: URL,
        field: 'inputSchema',
        from: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        to: null,
      },
    ])
  })

  test('an endpoint that stops or resumes being payable is one change', () => {
    expect(changed([pricedOperation()], [unreadOperation()])).toMatchObject([
      { field: 'payable', from: 'true', to: 'false' },
    ])
    expect(changed([unreadOperation()], [pricedOperation()])).toMatchObject([
      { field: 'payable', from: 'false', to: 'true' },
    ])
  })

  test('changes of one version follow the order of endpoints and fields, and the newest list begins with the last', () => {
    const at = (url: string, price: string, outputSchema = {}) => ({ ...pricedOperation({ url, price }), outputSchema })
    const [a, b] = ['https://api.example/a', 'https://api.example/b']
    const versions = [version(1, [at(b, '1'), at(a, '1')]), version(2, [at(b, '2', { x: 1 }), at(a, '2')])]
    const told = (changes: ReturnType<typeof offerChanges>) => changes.map(({ url, field }) => [url, field])
    const inOrder = [
      [a, 'price'],
      [b, 'price'],
      [b, 'outputSchema'],
    ]
    const [changed] = changedOffers(versions)
    expect(changed).toMatchObject({ version: 2, since: new Date(AT) })
    expect(told([...(changed?.changes ?? [])])).toEqual(inOrder)
    expect(told(offerChanges(versions, 50))).toEqual(inOrder.toReversed())
  })

  test('an endpoint is identified by its method and URL', () => {
    expect(changed([pricedOperation()], [pricedOperation({ method: 'POST' })])).toMatchObject([
      { method: 'POST', field: 'payable', from: 'false', to: 'true' },
      { method: 'GET', field: 'payable', from: 'true', to: 'false' },
    ])
  })

  test('a version that changed nothing is left out, and a single version has no change', () => {
    const same = [pricedOperation()]
    expect(changedOffers([version(1, same), version(2, same)])).toEqual([])
    expect(changedOffers([version(1, same)])).toEqual([])
  })

  test('the newest changes come first, and no more than the limit are returned', () => {
    const prices = ['0.01', '0.02', '0.03', '0.04']
    const versions = prices.map((price, at) => version(at + 1, [pricedOperation({ price })]))
    expect(offerChanges(versions, 2).map(({ to }) => to)).toEqual(['0.04', '0.03'])
  })

  test('the versions may arrive in any order', () => {
    const versions = ['0.01', '0.02', '0.01', '0.03'].map((price, at) => version(at + 1, [pricedOperation({ price })]))
    const inOrder = offerChanges(versions, 50)
    fc.assert(
      fc.property(fc.shuffledSubarray(versions, { minLength: versions.length }), (shuffled) => {
        expect(offerChanges(shuffled, 50)).toEqual(inOrder)
      }),
    )
  })

  test('a listing that is not live offers nothing to compare', () => {
    expect(offered({ ...listed().snapshot, status: 'suspended' })).toBeUndefined()
  })
})
