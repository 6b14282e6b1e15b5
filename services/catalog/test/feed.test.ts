import { listingChanged, catalog as operations } from '@callboard/contract'
import { HOUR_MS, isoTime } from '@callboard/values'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { BASE_URL, NOW, startCatalog, type TestCatalog } from './support/catalog.ts'
import { mirrored, operation, snapshot } from './support/facts.ts'

let catalog: TestCatalog
beforeAll(async () => {
  catalog = await startCatalog()
})
afterAll(() => catalog.stop())
beforeEach(() => catalog.empty())

const list = async (...snapshots: ReturnType<typeof snapshot>[]) => {
  for (const one of snapshots) await catalog.deliver(listingChanged, one)
}

/** The texts of an element, in document order. */
const texts = (document: string, element: string): string[] =>
  [...document.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(([, text]) => text ?? '')

const slugsIn = (document: string): string[] =>
  texts(document, 'entry').map((entry) => texts(entry, 'id')[0]?.replace(`${BASE_URL}/call/`, '') ?? '')

describe('the feed of new listings', () => {
  const feed = () => catalog.ask(operations.feed, {})

  test('holds verified listings of providers, partners and payees that claimed theirs, and no others', async () => {
    await list(
      snapshot('self-listed'),
      snapshot('partner', { group: 'partner', provenance: 'partner' }),
      mirrored('claimed', { verification: 'verified' }),
      mirrored('unclaimed'),
      snapshot('ours', { group: 'svc', provenance: 'first_party' }),
      snapshot('unreviewed', { verification: 'none' }),
      snapshot('requested', { verification: 'requested' }),
      snapshot('offline', { status: 'suspended' }),
    )
    expect(slugsIn(await feed()).toSorted()).toEqual(['claimed', 'partner', 'self-listed'])
  })

  test('is ordered by the time of listing, newest first, and holds fifty', async () => {
    const at = (hour: number) => isoTime(NOW - hour * HOUR_MS)
    const many = Array.from({ length: 55 }, (_, hour) => snapshot(`listed-${hour}`, { listedAt: at(hour) }))
    await list(...many.toReversed())
    expect(slugsIn(await feed())).toEqual(Array.from({ length: 50 }, (_, hour) => `listed-${hour}`))
  })

  test('says of each listing where it is, and gives its provider’s words as text', async () => {
    await list(snapshot('weather', { name: 'Rain & <b>sun</b>', description: 'A "forecast"' }))
    const [entry = ''] = texts(await feed(), 'entry')
    expect(texts(entry, 'title')).toEqual(['Rain &amp; &lt;b&gt;sun&lt;/b&gt;'])
    expect(texts(entry, 'summary')).toEqual(['A &quot;forecast&quot;'])
    expect(entry).toContain(`<link rel="alternate" type="text/html" href="${BASE_URL}/call/weather"/>`)
    expect(entry).toContain(
      `<link rel="related" type="application/atom+xml" href="${BASE_URL}/call/weather/feed.xml"/>`,
    )
  })

  test('is the same document as long as nothing changes, even while it is empty', async () => {
    expect(await feed()).toBe(await feed())
    await list(snapshot('one'))
    expect(await feed()).toBe(await feed())
  })
})

describe('the feed of a listing', () => {
  const changes = (serviceId: string) => catalog.ask(operations.listingFeed, { serviceId })
  const at = (version: number) => ({ version, updatedAt: isoTime(NOW + version * HOUR_MS) })

  test('reports each change of what it offers, newest first', async () => {
    await list(
      snapshot('weather', at(1)),
      snapshot('weather', { ...at(2), name: 'Renamed before' }),
      snapshot('weather', { ...at(3), operations: [operation('weather', { price: '0.05' })] }),
    )
    const document = await changes('weather')
    expect(texts(document, 'title')[0]).toBe('weather: changes')
    expect(texts(document, 'entry').map((entry) => texts(entry, 'title')[0])).toEqual([
      expect.stringMatching(/^price of GET \S+: 0\.05 USD, before 0\.01 USD$/),
      expect.stringMatching(/^Listed: GET \S+ for 0\.01 USD in 0x/),
    ])
    expect(texts(document, 'updated')[0]).toBe(at(3).updatedAt)
  })

  test('is served whatever its provider makes of it: fifty times twenty endpoints with the longest URLs', async () => {
    const url = (at: number) => `https://ours.example/${at}/${"'&".repeat(1_000)}`
    for (let number = 1; number <= 51; number += 1) {
      const operations = Array.from({ length: 20 }, (_, at) =>
        operation('ours', { price: `0.0${number}`, url: url(at) }),
      )
      await list(snapshot('long', { version: number, updatedAt: isoTime(NOW + number), operations }))
    }
    expect(texts(await changes('long'), 'entry')).toHaveLength(50)
  })

  test('reports the changes of all versions, or of long ones as many as are read at once', async () => {
    const offered = (slug: string, length: number) =>
      Array.from({ length: 130 }, (_, at) => ({
        ...{ version: at + 1, since: isoTime(NOW + at) },
        offers: [
          { method: 'GET', url: `https://${slug}.example/${'x'.repeat(length)}`, price: at < 2 ? '0.01' : '0.02' },
        ],
      }))
    for (const [slug, length] of [
      ['short', 10],
      ['long', 25_000],
    ] as const) {
      await list(snapshot(slug, at(131)))
      await catalog.database.query(
        `insert into catalog.asked (slug, version, since, prices, offers)
         select $1, version, since, '[]', offers
         from jsonb_to_recordset($2::jsonb) as one (version bigint, since timestamptz, offers jsonb)`,
        [slug, JSON.stringify(offered(slug, length))],
      )
    }
    const told = async (slug: string) =>
      texts(await changes(slug), 'entry').map((entry) => texts(entry, 'title')[0]?.replace(/[: ].*/, ''))
    expect(await told('short')).toEqual([expect.stringMatching(/New|Gone/), 'price', 'Listed'])
    expect(await told('long')).toEqual([expect.stringMatching(/New|Gone/)])
  })

  test('follows a new version, a late one, a new name and a rebuild, though read before each', async () => {
    const priced = (version: number, price: string) =>
      snapshot('weather', { ...at(version), operations: [operation('weather', { price })] })
    const prices = async () =>
      texts(await changes('weather'), 'entry').map((entry) => /(?:USD: |: | for )(0\.\d+) USD/.exec(entry)?.[1])
    await list(priced(1, '0.01'), priced(4, '0.04'))
    expect(await prices()).toEqual(['0.04', '0.01'])
    await list(priced(5, '0.05'))
    expect(await prices()).toEqual(['0.05', '0.04', '0.01'])
    await list(priced(2, '0.02'))
    expect(await prices()).toEqual(['0.05', '0.04', '0.02', '0.01'])
    await list({ ...priced(6, '0.05'), name: 'Rain' })
    expect(texts(await changes('weather'), 'title')[0]).toBe('Rain: changes')
    await catalog.empty()
    await list(priced(1, '0.07'), { ...priced(6, '0.08'), name: 'Rain' })
    expect(await prices()).toEqual(['0.08', '0.07'])
  })

  test('is made from the offers of all versions only once', async () => {
    await list(snapshot('weather', at(1)))
    await changes('weather')
    const parse = vi.spyOn(JSON, 'parse')
    const entry = async () => (await catalog.ask(operations.entry, { serviceId: 'weather' })).offerChanges
    const offersRead = () => parse.mock.calls.filter(([text]) => String(text).startsWith('[{"url"')).length
    try {
      await changes('weather')
      expect(offersRead()).toBe(0)
      await entry()
      await entry()
      expect(offersRead()).toBe(1)
    } finally {
      parse.mockRestore()
    }
  })

  test('404 not_found: a listing that is not published', async () => {
    await list(snapshot('offline', { status: 'suspended' }))
    for (const serviceId of ['offline', 'unknown', 'No Slug']) {
      expect(await catalog.askAnyway(operations.listingFeed, { serviceId })).toMatchObject({ refusal: 'not_found' })
    }
  })
})
