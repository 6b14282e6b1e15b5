import { listingChanged, catalog as operations } from '@callboard/contract'
import { HOUR_MS, isoTime } from '@callboard/values'
import { detectAtomFeed, parseAtomFeed } from 'feedsmith'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BASE_URL, NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { operation, snapshot } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())
beforeEach(() => catalog.empty())

/** What a feed reader makes of a document. @throws Error if it is not Atom */
function read(document: string) {
  expect(detectAtomFeed(document)).toBe(true)
  return parseAtomFeed(document)
}

/** Checks what RFC 4287 §4.1.1 and §4.1.2 require of a feed and of each entry. */
function expectWhole(feed: ReturnType<typeof read>) {
  const { entries = [] } = feed
  for (const one of [feed, ...entries]) {
    expect(one).toMatchObject({ id: expect.stringMatching(/^https?:/), title: expect.anything() })
    expect(Number.isNaN(Date.parse(one.updated ?? ''))).toBe(false)
  }
  const isSigned = (feed.authors?.length ?? 0) > 0
  for (const { authors } of entries) expect(isSigned || (authors?.length ?? 0) > 0, 'an author').toBe(true)
  expect(new Set(entries.map(({ id }) => id)).size, 'each entry once').toBe(entries.length)
  expect(feed.links).toContainEqual(expect.objectContaining({ rel: 'self', href: expect.stringContaining(BASE_URL) }))
}

const WORDS = [
  'Rain & <b>sun</b>',
  'Wetter "heute" für Zürich',
  '天気予報 ☔',
  ']]> <!-- & &amp; &#0;',
  '<script>alert(1)</script>',
]

describe('a reader library of Atom', () => {
  test('reads the feed of new listings, word for word as their providers wrote it', async () => {
    for (const [index, name] of WORDS.entries())
      await catalog.deliver(listingChanged, snapshot(`words-${index}`, { name, description: `${name} says it` }))
    const feed = read(await catalog.ask(operations.feed, {}))
    expectWhole(feed)
    const said = feed.entries?.map(({ title, summary }) => [title?.value, summary?.value])
    expect(said?.toSorted()).toEqual(WORDS.map((name) => [name, `${name} says it`]).toSorted())
  })

  test('reads an empty feed', async () => {
    const feed = read(await catalog.ask(operations.feed, {}))
    expectWhole(feed)
    expect(feed.entries ?? []).toEqual([])
  })

  test('reads a listing’s changes, in order', async () => {
    const at = (version: number) => ({ version, updatedAt: isoTime(NOW + version * HOUR_MS) })
    await catalog.deliver(listingChanged, snapshot('weather', at(1)))
    await catalog.deliver(
      listingChanged,
      snapshot('weather', { ...at(2), operations: [operation('weather', { price: '0.05' })] }),
    )
    const feed = read(await catalog.ask(operations.listingFeed, { serviceId: 'weather' }))
    expectWhole(feed)
    expect(feed.entries?.map(({ updated }) => updated)).toEqual([at(2).updatedAt, at(1).updatedAt])
  })
})
