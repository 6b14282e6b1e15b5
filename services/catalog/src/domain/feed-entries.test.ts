import { expect, test } from 'vitest'
import type { OfferedFrom } from './entry/offer-changes.ts'
import type { OfferedOperation } from './entry/offered.ts'
import { ATOM_TYPE, changeEntries, changesPath, FEED_PATH, listingEntry } from './feed-entries.ts'

const BASE = 'https://callboard.example'
const NOW = Date.UTC(2026, 10, 20)

const offer = (price: string, url = 'https://a.example/q'): OfferedOperation => ({
  ...{ method: 'GET', url, price, scheme: 'exact', network: 'eip155:8453', asset: '0xa', payTo: '0xb' },
})
const version = (number: number, ...offers: OfferedOperation[]): OfferedFrom => ({
  ...{ version: number, since: new Date(NOW + number * 1_000), offers },
})

const entriesOf = (versions: readonly OfferedFrom[], isWhole = true) =>
  changeEntries(BASE, 'weather', { versions, isWhole }, 50)

test('a listing’s entry links its page and the feed of its changes, and keeps its id', () => {
  const times = { listedAt: null, createdAt: '2026-11-19T00:00:00.000Z', updatedAt: '2026-11-20T00:00:00.000Z' }
  const snapshot = { slug: 'weather', name: 'Weather', description: 'Rain', category: 'data' as const, ...times }
  expect(listingEntry(BASE, snapshot)).toMatchObject({
    id: `${BASE}/call/weather`,
    published: times.createdAt,
    links: [
      { rel: 'alternate', href: `${BASE}/call/weather` },
      { rel: 'related', href: `${BASE}/call/weather/feed.xml` },
    ],
  })
})

test('changed offers and added endpoints are reported, newest first, under an id of their version', () => {
  const other = offer('0.03', 'https://a.example/r')
  const entries = entriesOf([
    ...[version(1, offer('0.01')), version(2, offer('0.01')), version(3, offer('0.02'))],
    version(4, offer('0.02'), other),
  ])
  expect(entries.map(({ title }) => title)).toEqual([
    'New: GET https://a.example/r',
    'price of GET https://a.example/q: 0.02 USD, before 0.01 USD',
    'Listed: GET https://a.example/q for 0.01 USD in 0xa on eip155:8453',
  ])
  expect(entries[1]).toMatchObject({
    id: `${BASE}/call/weather#version-3`,
    updated: new Date(NOW + 3_000).toISOString(),
  })
})

test('versions may arrive in any order, and all changes of one version are one entry', () => {
  const dearer = { ...offer('0.02'), payTo: '0xc' as const, maxTimeoutSeconds: 60 }
  const [last, first] = entriesOf([version(2, dearer), version(1, { ...offer('0.01'), maxTimeoutSeconds: 30 })])
  expect(first?.id).toBe(`${BASE}/call/weather#version-1`)
  expect(last?.title).toBe('price of GET https://a.example/q: 0.02 USD, before 0.01 USD, and 2 more')
  expect(last?.summary).toContain('payTo of GET https://a.example/q: 0xc, before 0xb')
  expect(last?.summary).toContain('maxTimeoutSeconds of GET https://a.example/q: 60 s, before 30 s')
})

test('a removed endpoint and an added schema are reported, and a listing that began without offers says so', () => {
  const described = { ...offer('0.01'), inputSchema: 'sha256:00' }
  const versions = [version(1), version(2, offer('0.01')), version(3, described), version(4)]
  expect(entriesOf(versions).map(({ title }) => title)).toEqual([
    'Gone: GET https://a.example/q',
    'inputSchema of GET https://a.example/q: sha256:00, before none',
    'New: GET https://a.example/q',
    'Listed: nothing that can be paid',
  ])
})

test('changes of many endpoints with long URLs are summed up by number beyond a length', () => {
  const url = (at: number) => `https://a.example/${at}/${'x'.repeat(900)}`
  const all = (price: string) => Array.from({ length: 20 }, (_, at) => offer(price, url(at)))
  const [last, first] = entriesOf([version(1, ...all('0.01')), version(2, ...all('0.02'))])
  for (const entry of [last, first]) {
    expect(entry?.title).toMatch(/^.{500}, and 19 more$/)
    expect(entry?.summary.length).toBeLessThan(2_020)
    expect(entry?.summary).toMatch(/…\. And 17 more$/)
  }
})

test('if older versions were not read, the first known offer is not reported', () => {
  const versions = [version(7, offer('0.01')), version(8, offer('0.02'))]
  expect(entriesOf(versions, false).map(({ id }) => id)).toEqual([`${BASE}/call/weather#version-8`])
})

test('the feed holds no more entries than its limit', () => {
  const versions = Array.from({ length: 60 }, (_, at) => version(at + 1, offer(`0.${at + 10}`)))
  expect(entriesOf(versions)).toHaveLength(50)
})

test('a listing’s entry has the listing’s words, and is dated from the day on which it was listed', () => {
  const times = { createdAt: '2026-11-18T00:00:00.000Z', updatedAt: '2026-11-20T00:00:00.000Z' }
  const words = { slug: 'weather', name: 'Weather', description: 'Rain', category: 'data' as const }
  expect(listingEntry(BASE, { ...words, ...times, listedAt: '2026-11-19T00:00:00.000Z' })).toEqual({
    ...{ id: `${BASE}/call/weather`, title: 'Weather', summary: 'Rain', category: 'data' },
    ...{ updated: '2026-11-20T00:00:00.000Z', published: '2026-11-19T00:00:00.000Z' },
    links: [
      { rel: 'alternate', type: 'text/html', href: `${BASE}/call/weather` },
      { rel: 'related', type: 'application/atom+xml', href: `${BASE}/call/weather/feed.xml` },
    ],
  })
})

test('a change’s entry links the page of its listing, and has the date of the change', () => {
  const [, first] = entriesOf([version(1, offer('0.01')), version(2)])
  expect(first).toEqual({
    id: `${BASE}/call/weather#version-1`,
    title: 'Listed: GET https://a.example/q for 0.01 USD in 0xa on eip155:8453',
    summary: 'Listed: GET https://a.example/q for 0.01 USD in 0xa on eip155:8453',
    ...{ updated: '2026-11-20T00:00:01.000Z', published: '2026-11-20T00:00:01.000Z' },
    links: [{ rel: 'alternate', type: 'text/html', href: `${BASE}/call/weather` }],
  })
})

test('the changes of one version are joined in its summary, and a listing without versions has no entry', () => {
  const [, two] = entriesOf([version(1, offer('1'), offer('2', 'https://a.example/r')), version(2)])
  expect(two?.title).toMatch(/, and 1 more$/)
  expect(two?.summary).toMatch(/^Listed: [^.]+\.[^.]+\. Listed: /)
  expect(entriesOf([])).toEqual([])
})

test('a removed schema is reported', () => {
  const described = { ...offer('0.01'), outputSchema: 'sha256:00' }
  const [gone] = entriesOf([version(1, described), version(2, offer('0.01'))])
  expect(gone?.title).toBe('outputSchema of GET https://a.example/q: none, before sha256:00')
})

test('the paths and the media type of the feeds are fixed', () => {
  expect([FEED_PATH, changesPath('a'), ATOM_TYPE]).toEqual([
    ...['/call/feed.xml', '/call/a/feed.xml', 'application/atom+xml'],
  ])
})
