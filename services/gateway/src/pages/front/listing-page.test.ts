import type { CatalogueEntry } from '@callboard/contract'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import { listingPage } from './listing-page.ts'

const entry = (uptime7d: number, checks7d: number): CatalogueEntry => ({
  ...{ id: 'tides', name: 'Tides', description: 'When the sea rises', category: 'data', tier: 'verified' },
  ...{ group: 'added', fee: { bps: 500, label: '5 %' }, verified: true, verification: 'verified', wrapped: false },
  ...{ lastCheckedAt: null, price: '0.01', networks: [], endpoints: [], listedAt: null, requests: [], week: [] },
  ...{ offerChanges: [], recentSettlements: [], samePayee: [] },
  conformance: { declaredVersion: 2, versionConformant: true, offerTransport: 'header', issues: [] },
  liveness: { uptime7d, latencyP50Ms: 0, latencyP95Ms: 0, checks7d },
})

const words = (more: Partial<CatalogueEntry>) =>
  renderToString(listingPage({ ...entry(1, 1), ...more }, 0).body as never)

test('a mirrored listing is not in its provider’s own words: a source that anyone runs may have named it', () => {
  const mirrored = { group: 'external', tier: 'mirrored', verified: false, verification: 'none' } as const
  expect(words(mirrored)).toContain('words of the source in which we found it')
  expect(words(mirrored)).not.toContain('provider’s own words')
  for (const claimed of ['requested', 'verified'] as const) {
    expect(words({ ...mirrored, verification: claimed })).toContain('provider’s own words')
  }
  expect(words({ verification: 'none' })).toContain('provider’s own words')
})

const shown = (uptime7d: number, checks7d: number) =>
  /Uptime in the last seven days<\/dt><dd>([^<]*)</.exec(
    renderToString(listingPage(entry(uptime7d, checks7d), 0).body as never),
  )?.[1]

test('the uptime is rounded down, as on the card: one failed check of thousands is not 100 %', () => {
  expect(shown(1, 2_016)).toBe('100 % (2016 checks)')
  expect(shown(1, 1)).toBe('100 % (1 check)')
  expect(shown(0.9996, 2_016)).toBe('99.9 % (2016 checks)')
  expect(shown(0, 0)).toBe('not checked yet')
})
