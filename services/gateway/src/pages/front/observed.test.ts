import type { ActivityItem } from '@callboard/contract'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { callsIn, paidCalls, Settlements } from './observed.ts'

const calls = (calls: number, volumeUsd: string, [count, left]: readonly [number, string]) => ({
  ...{ calls, volumeUsd },
  surviving: { count, volumeUsd: left },
})

test.each([
  ['no call', calls(0, '0', [0, '0']), 'none'],
  ['one call', calls(1, '0.01', [1, '0.01']), '1 call for 0.01 USD'],
  [
    'calls of which some were invented',
    calls(12, '0.12', [9, '0.09']),
    '12 calls for 0.12 USD; without dust and signs of invented volume, 9 for 0.09 USD',
  ],
  [
    'calls that were all invented',
    calls(12, '0.12', [0, '0']),
    '12 calls for 0.12 USD; without dust and signs of invented volume, none',
  ],
])('%s', (_what, sums, words) => {
  expect(paidCalls(sums)).toBe(words)
})

test('the days of a week are added up exactly, and what survives apart', () => {
  const day = (...sums: Parameters<typeof calls>) => ({ start: '2026-11-20T00:00:00.000Z', ...calls(...sums) })
  const days = [day(1, '0.1', [1, '0.1']), day(2, '0.2', [0, '0']), day(1, '0.000000000000000001', [1, '0.05'])]
  expect(callsIn(days)).toEqual(calls(4, '0.300000000000000001', [2, '0.15']))
  expect(callsIn([])).toEqual(calls(0, '0', [0, '0']))
})

test('a payment shows what speaks against it', () => {
  const address = '0x00000000000000000000000000000000000000AA' as const
  const payment = {
    ...{ kind: 'call', txHash: `0x${'ab'.repeat(32)}`, network: 'eip155:8453', blockNumber: '1', asset: address },
    ...{ observedAt: '2026-11-20T12:00:00.000Z', payer: address, payTo: address, amountUsd: '0.01' },
    listing: { ref: 'tides', name: 'Tides', group: 'added' },
  } as const satisfies ActivityItem
  const now = Date.parse('2026-11-20T12:00:30.000Z')
  const shown = (more: Partial<ActivityItem>) =>
    renderToString(Settlements({ items: [{ ...payment, ...more }], now }) as never)
  expect(shown({})).toContain('30 seconds ago')
  expect(shown({})).not.toContain('class="tag"')
  const invented = [
    { pattern: 'self_pay' as const, reason: 'the seller paid <itself>', lifts: '', until: payment.observedAt },
  ]
  expect(shown({ invented })).toContain('set aside: the seller paid &lt;itself>')
  expect(shown({ shared: { among: 3, refs: [] } })).toContain('may belong to one of 3 listings')
  expect(shown({ kind: 'transfer' })).toContain('no price of this listing')
})
