import { expect, test } from 'vitest'
import { listed, payment, pricedOperation, unreadOperation } from '../../../test/support/listed.ts'
import { offered } from './offered.ts'

const live = (...operations: ReturnType<typeof pricedOperation>[]) =>
  offered({ ...listed().snapshot, status: 'live', operations })

test('payable endpoints are offered, with only their price and terms, and unread ones are not', () => {
  const { scheme, network, asset, payTo } = payment()
  expect(live(unreadOperation(), pricedOperation(), pricedOperation({ price: null }))).toStrictEqual([
    { method: 'GET', url: 'https://api.example/ask', price: '0.01', scheme, network, asset, payTo },
  ])
})

test('a known window and known schemas are included, schemas by a hash that ignores the order of their members', () => {
  const input = { b: [{ d: null, c: 'x' }], a: 1 }
  const [one] =
    live({
      ...pricedOperation({ payment: payment({ maxTimeoutSeconds: 60 }) }),
      ...{ inputSchema: input, outputSchema: {} },
    }) ?? []
  expect(one).toMatchObject({
    maxTimeoutSeconds: 60,
    inputSchema: 'sha256:73874d219adbfc69ffb017abbb33638c5a031f2d54a67752dab82ab92e24af2a',
    outputSchema: 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  })
})

test.each(['draft', 'suspended'] as const)('a %s listing offers nothing to anyone', (status) => {
  expect(offered({ status, operations: [pricedOperation()] })).toBeUndefined()
})
