import type { ActivityItem } from '@callboard/contract'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { Settlements } from './settlements.ts'

const ADDRESS = '0x00000000000000000000000000000000000000AA'
const payment = {
  ...{ kind: 'call', txHash: `0x${'ab'.repeat(32)}`, network: 'eip155:8453', blockNumber: '1', asset: ADDRESS },
  ...{ observedAt: '2026-11-20T12:00:00.000Z', payer: ADDRESS, payTo: ADDRESS, amountUsd: '0.01' },
  listing: { ref: 'tides', name: 'Free money', group: 'added' },
} as const satisfies ActivityItem
const now = Date.parse('2026-11-20T12:00:30.000Z')

const shown = (more: Partial<ActivityItem> = {}, named = false) =>
  renderToString(Settlements({ items: [{ ...payment, ...more }], now, named }) as never)

test('a payment says what was paid, when, by whom, and in which transaction', () => {
  expect(shown().replaceAll(/<[^>]*>/g, '')).toMatch(/0\.01 USD by 0x0000…00AA, 30 seconds ago/)
  expect(shown()).toContain(`href="/activity?address=${ADDRESS}"`)
  expect(shown()).toContain(payment.txHash)
  expect(shown()).not.toContain('class="tag"')
})

test('a payment shows what speaks against it', () => {
  const until = payment.observedAt
  const invented = [{ pattern: 'self_pay' as const, reason: 'the seller paid <itself>', lifts: '', until }]
  expect(shown({ invented })).toContain('set aside: the seller paid &lt;itself>')
  expect(shown({ shared: { among: 3, refs: [] } })).toContain('may belong to one of 3 listings')
  expect(shown({ kind: 'transfer' })).toContain('no price of this listing')
})

test('a listing is named as in its address, and not by its seller’s words', () => {
  expect(shown({}, true)).toContain('<a href="/call/tides">tides</a>')
  expect(shown({}, true)).not.toContain('Free money')
  expect(shown()).not.toContain('tides')
})
