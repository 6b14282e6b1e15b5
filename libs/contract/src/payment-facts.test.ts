import { expect, test } from 'vitest'
import type { EventDeclaration, EventEnvelope } from './event.ts'
import { eventName } from './event.ts'
import { paymentSettled } from './events/payment.ts'
import { settlementObserved, settlementReverted } from './events/settlement.ts'
import { paymentFacts, standsAgain } from './payment-facts.ts'

const told = (event: EventDeclaration, sequence: number, data: unknown): EventEnvelope => ({
  ...{ id: `e${sequence}`, name: eventName(event), key: 'k', sequence, source: 'test' },
  ...{ occurredAt: '2026-11-23T00:00:00.000Z', data },
})
const observed = (sequence: number, more: object = {}) =>
  told(settlementObserved, sequence, {
    network: 'n',
    txHash: '0x1',
    logIndex: 1,
    blockHash: '0xa',
    amount: '5',
    ...more,
  })
const settled = (sequence: number, more: object = {}) =>
  told(paymentSettled, sequence, {
    ...{ network: 'n', asset: 'a', payer: 'p', nonce: '0x7', payTo: 't', foreign: false, resourceUrl: 'u' },
    ...more,
  })

test('default: returns the newest observation of each settlement, whatever the order of arrival', () => {
  const facts = paymentFacts([observed(3, { blockHash: '0xb' }), observed(2), observed(4, { logIndex: 2 })])
  expect(facts.observed).toMatchObject([
    { sequence: 3, blockHash: '0xb', logIndex: 1 },
    { sequence: 4, logIndex: 2 },
  ])
})

test('default: returns the resource that each payment named last', () => {
  const facts = paymentFacts([settled(2, { resourceUrl: 'later' }), settled(1), settled(3, { nonce: '0x8' })])
  expect(facts.named.map(({ nonce, resource }) => [nonce, resource])).toEqual([
    ['0x7', 'later'],
    ['0x8', 'u'],
  ])
})

test('behavior: a transfer of zero, a payment of a third party and one without a resource yield no facts', () => {
  expect(
    paymentFacts([observed(1, { amount: '0' }), settled(2, { foreign: true }), settled(3, { resourceUrl: null })]),
  ).toEqual({ observed: [], reverted: [], named: [] })
})

test('behavior: a reverted settlement counts again when it is observed later in the block that it had left', () => {
  const left = (sequence: number) =>
    told(settlementReverted, sequence, { network: 'n', txHash: '0x1', logIndex: 1, blockHash: '0xa' })
  const isBack = (...events: EventEnvelope[]) => {
    const { reverted, observed } = paymentFacts(events)
    return reverted.map((one) => standsAgain(one, observed))
  }
  expect(isBack(observed(1), left(2))).toEqual([false])
  expect(isBack(left(2), observed(3))).toEqual([true])
  expect(isBack(left(2), observed(3, { blockHash: '0xb' }))).toEqual([false])
})
