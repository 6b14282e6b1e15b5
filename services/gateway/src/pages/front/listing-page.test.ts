import type { CatalogueEntry } from '@callboard/contract'
import { ISSUE_WORDS } from '@callboard/x402'
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
  /Uptime in 7 days<\/dt><dd>([^<]*)</.exec(
    renderToString(listingPage(entry(uptime7d, checks7d), 0).body as never),
  )?.[1]

test('the uptime is rounded down, as on the card: one failed check of thousands is not 100 %', () => {
  expect(shown(1, 2_016)).toBe('100 % (2016 checks)')
  expect(shown(1, 1)).toBe('100 % (1 check)')
  expect(shown(0.9996, 2_016)).toBe('99.9 % (2016 checks)')
  expect(shown(0, 0)).toBe('not checked yet')
})

const payment = {
  ...{ scheme: 'exact', network: 'eip155:8453', asset: '0xA0', payTo: '0xB0', checkedAt: '2026-11-20T12:00:00.000Z' },
} as const
const endpoint = {
  ...{ name: 'Tide', method: 'GET', url: 'https://tides.example/', price: '0.01', description: null, payment },
} as unknown as CatalogueEntry['endpoints'][number]
const offering = (offers: Partial<CatalogueEntry['requests'][number]['offers']>) => {
  const request = { ...endpoint, howToPay: null, offers: { stored: null, live: null, differences: [], ...offers } }
  return words({ endpoints: [endpoint], requests: [request as unknown as CatalogueEntry['requests'][number]] })
}
const live = { accepts: [{}], state: 'ok_402', checkedAt: '2026-11-20T12:00:00.000Z' } as never

test('an offer that is no longer what was listed says in what, and one that is says nothing', () => {
  const differences = [
    { field: 'price', stored: '0.01', live: '<5>' },
    { field: 'inputSchema', stored: 'sha256:aa', live: 'sha256:bb' },
  ] as const
  expect(offering({ live })).not.toContain('warned')
  expect(offering({})).not.toContain('warned')
  const shown = offering({ live, differences: [...differences] })
  expect(shown).toContain('differed from the listing')
  expect(shown).toContain('<li>price: 0.01 → &lt;5></li>')
  expect(shown).toContain('<li>input schema</li>')
  expect(offering({ live: { ...(live as object), accepts: [] } as never })).toContain('asked for no payment')
})

test('an endpoint has the texts and the link that the catalog gives; one of the version before gives fewer', () => {
  const texts = { cli: 'npx <pay>', typescript: 'ts', python: 'py', curl: 'curl' }
  const shown = (more: object) => {
    const request = { ...endpoint, offers: { stored: null, live: null, differences: [] }, ...more }
    return words({ endpoints: [endpoint], requests: [request as unknown as CatalogueEntry['requests'][number]] })
  }
  const before = shown({ howToPay: texts })
  expect(before.match(/<pre class="whole">/g)).toHaveLength(4)
  expect(before).toContain('<pre class="whole">npx &lt;pay></pre>')
  expect(before).not.toContain('on a page of its own')
  const now = shown({
    ...{ howToPay: { ...texts, client: 'pay()' }, action: { type: 'invoke_api', href: '/call/invoke?a=b&sig=c' } },
  })
  expect(now.match(/<pre class="whole">/g)).toHaveLength(5)
  expect(now).toContain('<a href="/call/invoke?a=b&amp;sig=c">This call on a page of its own')
})

test('changes of offers are shown with their time, the newest ten', () => {
  const at = '1969-12-31T23:59:30.000Z'
  const change = { at, method: 'GET', url: 'https://tides.example/', field: 'price', from: null, to: '0.02' } as const
  const shown = words({ offerChanges: Array.from({ length: 12 }, () => change) })
  expect(shown).toContain('price: none → 0.02')
  expect(shown).toContain('30 seconds ago')
  expect(shown.match(/→/g)).toHaveLength(10)
  expect(words({})).not.toContain('Last changes')
})

test('a listing that shares its payee says with how many, never under which names: anyone chooses those', () => {
  const other = { ref: 'cheap', name: 'Tides is a fraud', group: 'added' } as const
  const shown = words({ samePayee: [other, other] })
  expect(shown).toContain('Other listings with its payee</dt><dd>2<')
  expect(shown).not.toContain(other.name)
  expect(words({ samePayee: Array.from({ length: 20 }, () => other) })).toContain('<dd>20 or more<')
  expect(words({})).not.toContain('Other listings')
})

const day = (calls: number, count: number) => ({
  ...{ start: '2026-11-20T00:00:00.000Z', calls, volumeUsd: '1', surviving: { count, volumeUsd: '0.5' } },
})

test('paid calls are drawn by day, what was invented behind the rest; every bar has its words, and a table too', () => {
  const shown = words({ week: [day(0, 0), day(1_000, 500), day(1, 1)] })
  const heights = [...shown.matchAll(/<rect[^>]* y="(\d+)"[^>]* height="(\d+)"/g)].map(([, y, height]) => [y, height])
  expect(heights).toEqual([
    ...[
      ['60', '0'],
      ['60', '0'],
    ],
    ...[
      ['0', '60'],
      ['30', '30'],
    ],
    ...[
      ['58', '2'],
      ['58', '2'],
    ],
  ])
  expect(shown).toContain('<title>2026-11-20: 1000 calls for 1 USD; without dust and signs of invented volume, 500')
  expect(shown.match(/<tr>/g)).toHaveLength(4)
  expect(words({ week: [day(0, 0)] })).not.toContain('<svg')
})

test('what its offer lacks is said with its mend, and links to its row of the reference', () => {
  const issues = ['SCHEMA_INPUT_MISSING', 'OFFER_ONLY_IN_BODY'] as const
  const shown = words({ conformance: { ...entry(1, 1).conformance, issues: [...issues] } })
  expect(shown).toContain('2 points in which its offer could be better')
  for (const issue of issues) {
    expect(shown).toContain(`href="/docs/probes#${issue}"`)
    expect(shown).toContain(ISSUE_WORDS[issue].mend.replaceAll('"', '&quot;').replaceAll('<', '&lt;'))
  }
  const unknown = { ...entry(1, 1).conformance, issues: ['OF_A_NEWER_PROBER', 'constructor'] }
  for (const none of [{}, { conformance: unknown }]) expect(words(none)).not.toContain('could be better')
})
