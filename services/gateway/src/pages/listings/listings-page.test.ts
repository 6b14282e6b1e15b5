import type { ListingRecord } from '@callboard/contract'
import { html } from 'htm/preact'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { Summary } from './listings-page.ts'

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const none = {
  calls: { total: 0, last7d: 0 },
  revenue: { amountUsd: '0', last7dUsd: '0' },
  transfers: { total: 0, amountUsd: '0' },
}
const listing = {
  ...{ slug: 'tides', name: 'Tides', description: 'When the sea rises', category: 'data', status: 'live' },
  ...{ suspendedReason: null, rejection: null, suspension: null, verification: 'none', group: 'added' },
  ...{ provenance: 'self_listed', fee: { bps: 500, label: '5 %' }, operations: [], payoutWallet: ADDRESS },
  splitter: {
    ...{ network: 'eip155:8453', address: ADDRESS, deployed: true },
    deploy: { to: ADDRESS, data: '0x', value: '0' },
  },
  liveness: { uptime7d: 1, latencyP50Ms: 0, latencyP95Ms: 0, checks7d: 1 },
  ...none,
  shared: none,
  ...{ createdAt: '2026-11-01T00:00:00Z', listedAt: null, updatedAt: '2026-11-01T00:00:00Z' },
} satisfies ListingRecord

const htmlOf = (more: Partial<ListingRecord>) =>
  renderToString(html`<${Summary} listing=${{ ...listing, ...more }} />` as never)
const textOf = (more: Partial<ListingRecord>) =>
  htmlOf(more)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test('the sums of a listing are those of its own paid calls', () => {
  const calls = { total: 3, last7d: 1 }
  expect(textOf({ calls, revenue: { amountUsd: '0.03', last7dUsd: '0.01' } })).toContain(
    '3 paid calls, 0.03 USD. In the last seven days: 1 paid call, 0.01 USD.',
  )
})

test('a claimed listing, whose calls are counted nowhere here, is not said to have none', () => {
  const claimed = textOf({ splitter: null, group: 'external', provenance: 'indexed' })
  expect(claimed).not.toMatch(/\d paid call/)
  expect(claimed).toContain('See its payments')
})

test('the payments of a claimed listing are shown on the page of payments, not as JSON', () => {
  expect(htmlOf({ splitter: null, group: 'external' })).toContain('<a href="/activity?listing=tides">')
})

test('calls that another listing may have had are named beside the own ones', () => {
  const shared = { ...none, calls: { total: 2, last7d: 2 }, revenue: { amountUsd: '0.02', last7dUsd: '0.02' } }
  expect(textOf({ shared })).toContain('2 more paid calls, 0.02 USD, are of this listing or of another')
})
