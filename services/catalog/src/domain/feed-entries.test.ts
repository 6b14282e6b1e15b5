import { expect, test } from 'vitest'
import { type AskedVersion, changeEntries, listingEntry } from './feed-entries.ts'

const BASE = 'https://callboard.example'
const NOW = Date.UTC(2026, 10, 20)

const version = (number: number, amountUsd: string | null, resources: string[] | null = ['https://a.example/q']) =>
  ({
    ...{ version: number, since: NOW + number * 1_000, resources },
    prices: amountUsd === null ? [] : [{ network: 'eip155:8453', asset: '0xa', amountUsd }],
  }) satisfies AskedVersion

const titles = (...versions: AskedVersion[]) => changeEntries(BASE, 'weather', versions, 50).map(({ title }) => title)

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

test('changes of price, of endpoints and of being offered are told, newest first', () => {
  const more = ['https://a.example/q', 'https://a.example/r']
  expect(
    titles(version(1, '0.01'), version(2, '0.01'), version(3, '0.02'), version(4, '0.02', more), version(6, null)),
  ).toEqual([
    'Now asks for no payment',
    'Other endpoints',
    'Now asks 0.02 USD in 0xa on eip155:8453',
    'Listed: asks 0.01 USD in 0xa on eip155:8453',
  ])
})

test('versions may come in any order; endpoints that were not written down are no change', () => {
  expect(titles(version(2, '0.02', null), version(3, '0.02'), version(1, '0.01'))).toHaveLength(2)
})

test('a change is told beside what was before it, under an id of its version', () => {
  const [last] = changeEntries(BASE, 'weather', [version(1, '0.01'), version(7, '0.02')], 50)
  expect(last).toMatchObject({ id: `${BASE}/call/weather#version-7`, updated: new Date(NOW + 7_000).toISOString() })
  expect(last?.summary).toContain('Before: asks 0.01 USD')
})

test('there are no more entries than the feed holds', () => {
  const versions = Array.from({ length: 60 }, (_, at) => version(at + 1, `0.${at + 10}`))
  expect(changeEntries(BASE, 'weather', versions, 50)).toHaveLength(50)
})
