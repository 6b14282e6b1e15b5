import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { type PlainClause, plainResults, plainTiers } from '../../test/support/plain-relevance.ts'
import type { DirectoryPlace } from '../domain/places.ts'
import { GROUPS, groupRank } from '../domain/ranking.ts'
import { FRESH_MS } from '../domain/visibility.ts'
import { DirectoryIndex } from './directory-index.ts'
import type { IndexedListing } from './indexed-listing.ts'
import { categoryLabel, networkLabel, VOUCHED_FOR } from './labels.ts'
import { pageOf } from './page.ts'
import { placeKey } from './place-key.ts'
import type { DirectoryQuestion } from './shown-part.ts'

const NOW = 1_000 * FRESH_MS
const WORDS = ['sun', 'sunny', 'sunday', 'rain', 'or', 'x']
const SLUGS = Array.from({ length: 12 }, (_, number) => `slug-${number}`)

const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 3 })
/** Few values of everything, so that every column of the order has ties and every filter has hits and misses. */
const fact = fc.record({
  slug: fc.constantFrom(...SLUGS),
  name: words,
  more: words,
  group: fc.constantFrom(...GROUPS),
  isVerified: fc.boolean(),
  distrust: fc.integer({ min: 0, max: 2 }),
  staleness: fc.integer({ min: -2, max: 0 }),
  tieBreak: fc.integer({ min: -1, max: 1 }),
  okAtMs: fc.constantFrom(0, NOW - FRESH_MS - 1, NOW - FRESH_MS, NOW),
  networks: fc.subarray(['eip155:1', 'eip155:2']),
  category: fc.constantFrom('ai', 'data'),
})
type Drawn = typeof fact extends fc.Arbitrary<infer Value> ? Value : never
type Fact = Omit<Drawn, 'tieBreak'> & Partial<Drawn>

const visibility = fc.record({
  listed: fc.constantFrom('all' as const, 'verified' as const),
  external: fc.constantFrom('all' as const, 'fresh' as const, 'verified' as const, 'none' as const),
})
const literal = fc.record({
  isExcluded: fc.boolean(),
  words: fc.array(fc.constantFrom('sun', 'sunny', 'rain', 'y'), { minLength: 1, maxLength: 2 }),
})
const asked = fc.record({
  visibility,
  anyOf: fc.array(fc.array(literal, { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
  loose: fc.array(fc.constantFrom('sun', 'rain', 'x'), { maxLength: 2 }),
  ending: fc.option(fc.constantFrom('s', 'sunn', 'sund', 'x', 'zz'), { nil: undefined }),
  network: fc.option(fc.constantFrom('eip155:1', 'eip155:3'), { nil: undefined, freq: 2 }),
  category: fc.option(fc.constantFrom('ai', 'crypto'), { nil: undefined, freq: 2 }),
  limits: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
})
type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never

function listing(one: Fact): IndexedListing {
  const isVouchedFor = one.isVerified || one.group === 'svc'
  return {
    slug: one.slug,
    key: placeKey({ groupRank: groupRank(one.group), distrust: one.distrust, staleness: one.staleness }),
    tieBreak: one.tieBreak ?? 0,
    name: one.name.join(' '),
    text: one.more.join(' '),
    facets: [categoryLabel(one.category), ...one.networks.map(networkLabel)],
    labels: isVouchedFor ? [VOUCHED_FOR] : [],
    isVouchedFor,
    okAtMs: one.okAtMs,
    snapshot: JSON.stringify(one),
    seen: '',
    uptime7d: 1,
    lowestPrice: '0.01',
    hasSeveralOffers: false,
    offers: [],
  }
}

/** The query as a person would type it: phrases in quotes, the prefix at the end. */
const queryOf = ({ anyOf, loose, ending }: Asked): string => {
  const groups = anyOf.map((literals) =>
    literals.map(({ isExcluded, words: phrase }) => `${isExcluded ? '-' : ''}"${phrase.join(' ')}"`).join(' '),
  )
  return [groups.join(' or '), ...loose, ...(ending ? [ending] : [])].join(' ').trim()
}

/** The same as clauses. */
function clausesOf({ anyOf, loose, ending }: Asked): PlainClause[] {
  const clauses = anyOf.map((literals) => ({
    phrases: literals.filter(({ isExcluded }) => !isExcluded).map(({ words: phrase }) => phrase),
    excluded: literals.filter(({ isExcluded }) => isExcluded).map(({ words: phrase }) => phrase),
    words: [] as string[],
    endsInPrefix: true,
  }))
  const words = [...loose, ...(ending ? [ending] : [])]
  if (words.length > 0 && clauses.length === 0)
    clauses.push({ phrases: [], excluded: [], words: [], endsInPrefix: true })
  clauses.at(-1)?.words.push(...words)
  return clauses
}

/** All results by a plain filter and sort. */
function expected(facts: readonly Fact[], question: Asked, q: string): string[] {
  const isVisible = ({ group, isVerified, okAtMs }: Fact) => {
    if (group === 'external' && question.visibility.external === 'none') return false
    if (group === 'svc' || isVerified) return true
    const seen = group === 'external' ? question.visibility.external : question.visibility.listed
    return seen === 'all' || (seen === 'fresh' && okAtMs >= NOW - FRESH_MS)
  }
  const isShown = (one: Fact) =>
    isVisible(one) &&
    (question.network === undefined || one.networks.includes(question.network)) &&
    (question.category === undefined || one.category === question.category)
  const isVouchedFor = ({ group, isVerified }: Fact) => group === 'svc' || isVerified
  const clauses = clausesOf(question)
  const tiers = plainTiers(facts, clauses)
  const isRanked = clauses.length > 0 && clauses.every(({ phrases, words: loose }) => phrases.length + loose.length > 0)
  if (isRanked) for (const one of facts) if (one.name.join(' ') === q) tiers.set(one, 0)
  return plainResults(tiers, isShown, isVouchedFor)
    .sort(
      (a, b) =>
        Number(a.isRest) - Number(b.isRest) ||
        groupRank(a.one.group) - groupRank(b.one.group) ||
        a.tier - b.tier ||
        a.one.distrust - b.one.distrust ||
        a.one.staleness - b.one.staleness ||
        (a.one.tieBreak ?? 0) - (b.one.tieBreak ?? 0) ||
        (a.one.slug < b.one.slug ? -1 : 1),
    )
    .map(({ one }) => one.slug)
}

function walked(index: DirectoryIndex, question: DirectoryQuestion, limits: readonly number[]): string[] {
  const slugs: string[] = []
  for (let page = 0, after: DirectoryPlace | undefined; ; page += 1) {
    const { rows } = pageOf(index, question, { limit: limits[page % limits.length] ?? 1, after })
    slugs.push(...rows.map(({ place }) => place.slug))
    after = rows.at(-1)?.place
    if (!after) return slugs
  }
}

const questionOf = ({ visibility, network, category }: Asked, q: string): DirectoryQuestion => ({
  visibility,
  network,
  category,
  q,
  nowMs: NOW,
})

describe('the pages of an index', () => {
  test('hold every listing of a brute-force filter and sort once, in its order, after any changes', () => {
    const change = fc.oneof({ weight: 4, arbitrary: fact }, fc.constantFrom(...SLUGS))
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 60 }),
        fc.array(asked, { minLength: 1, maxLength: 6 }),
        (changes, all) => {
          const index = new DirectoryIndex()
          const facts = new Map<string, Fact>()
          for (const one of changes) {
            if (typeof one === 'string') {
              facts.delete(one)
              index.remove(one)
            } else {
              facts.set(one.slug, one)
              index.put(listing(one))
            }
          }
          expect(index.size).toBe(facts.size)
          for (const question of all) {
            const q = queryOf(question)
            const slugs = walked(index, questionOf(question, q), question.limits)
            expect(slugs, q).toEqual(expected([...facts.values()], question, q))
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  test('are the same whether an index was filled at once or changed one by one, and stay so', async () => {
    const facts = fc.uniqueArray(fact, { selector: ({ slug }) => slug, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(facts, fact, asked, async (all, last, question) => {
        const changed = new DirectoryIndex()
        for (const one of all) changed.put(listing(one))
        const filled = new DirectoryIndex()
        const half = all.length >> 1
        const batches = async function* () {
          yield all.slice(0, half).map(listing)
          yield all.slice(half).map(listing)
        }
        await filled.fill(batches(), async () => {})
        for (const index of [changed, filled]) index.put(listing(last))
        const q = queryOf(question)
        const pages = [changed, filled].map((one) => walked(one, questionOf(question, q), question.limits))
        expect(pages[0]).toEqual(pages[1])
      }),
      { numRuns: 100 },
    )
  })
})

describe('an index forgets', () => {
  let index: DirectoryIndex
  beforeEach(() => {
    index = new DirectoryIndex()
  })
  const base: Fact = {
    slug: 'a',
    name: ['sun'],
    more: ['rain'],
    group: 'added',
    isVerified: false,
    distrust: 0,
    staleness: 0,
    okAtMs: 0,
    networks: [],
    category: 'ai',
  }

  test('words that no listing has any more, so that changing texts do not fill the memory', () => {
    for (let number = 0; number < 100; number += 1) {
      index.put(listing({ ...base, more: [`word${number}`] }))
    }
    expect(index.postings.vocabulary.size).toBe(3)
    expect(index.postings.vocabulary.bound).toBeLessThanOrEqual(4)
    index.remove('a')
    expect(index.postings.vocabulary.size).toBe(0)
    expect([...index.everything]).toEqual([])
  })

  test('the words of a removed listing, so that the next one with its number is not found by them', () => {
    index.put(listing(base))
    index.remove('a')
    index.put(listing({ ...base, slug: 'b', name: ['x'] }))
    const found = (q: string) =>
      pageOf(index, { visibility: { listed: 'all', external: 'all' }, q, nowMs: NOW }, { limit: 9 }).rows.map(
        ({ place }) => place.slug,
      )
    expect([found('sun'), found('x'), found('rain')]).toEqual([[], ['b'], ['b']])
  })
})

test('listings inserted at one place displace others, and every word and name still finds all of them in order', () => {
  const index = new DirectoryIndex()
  const slugs = Array.from({ length: 400 }, (_, number) => `s-${String(9_999 - number)}`)
  const base = { more: ['rain'], isVerified: true, distrust: 0, staleness: 0, okAtMs: 0, category: 'ai' as const }
  for (const slug of slugs) index.put(listing({ ...base, slug, name: ['sun'], group: 'added', networks: [] }))
  const found = (q: string) =>
    pageOf(index, { visibility: { listed: 'all', external: 'all' }, q, nowMs: NOW }, { limit: 999 }).rows.map(
      ({ place }) => place.slug,
    )
  for (const q of ['', 'sun', 'rain', 'sun rain', 'ra', '"sun" -x']) expect(found(q), q).toEqual(slugs.toSorted())
  for (const slug of slugs.slice(1)) index.remove(slug)
  expect(found('sun')).toEqual(slugs.slice(0, 1))
})

test('a prefix of very many words is answered by a full scan, with the same rows', () => {
  const index = new DirectoryIndex()
  for (let number = 0; number < 2_000; number += 1) {
    index.put(
      listing({
        slug: `s-${number}`,
        name: [`w${number}`],
        more: [],
        group: 'added',
        isVerified: true,
        distrust: number % 3,
        staleness: 0,
        okAtMs: 0,
        networks: [],
        category: 'ai',
      }),
    )
  }
  const rows = (q: string, limit: number) =>
    pageOf(index, { visibility: { listed: 'all', external: 'all' }, q, nowMs: NOW }, { limit }).rows.map(
      ({ place }) => place.slug,
    )
  expect(rows('w', 5_000)).toEqual(rows('', 5_000))
  expect(rows('w', 20)).toEqual(rows('', 20))
  expect(rows('w199', 20)).toHaveLength(11)
})

test('a prefix of more words than are gathered does not narrow the scan, and still finds its words', () => {
  const index = new DirectoryIndex()
  const base = { more: [], group: 'added' as const, isVerified: true, okAtMs: 0, networks: [], category: 'ai' as const }
  const slugs = Array.from({ length: 10_500 }, (_, number) => `s-${number}`)
  for (const [number, slug] of slugs.entries()) {
    const name = [number % 2 === 0 ? 'sun' : 'rain', number % 3 === 0 ? 'mars' : `w${number}`]
    index.put(listing({ ...base, slug, name, distrust: number % 3, staleness: 0 }))
  }
  const found = (q: string) =>
    pageOf(index, { visibility: { listed: 'all', external: 'all' }, q, nowMs: NOW }, { limit: 20_000 }).rows.map(
      ({ place }) => place.slug,
    )
  const expected = (is: (number: number) => boolean) => slugs.filter((_, number) => is(number)).sort()
  for (let number = 10_500; number < 15_000; number += 1) {
    slugs.push(`s-${number}`)
    index.put(listing({ ...base, slug: `s-${number}`, name: ['w', `w${number}`], distrust: 0, staleness: 0 }))
  }
  expect(found('w').sort()).toEqual(expected((number) => number >= 10_500 || number % 3 !== 0))
  expect(found('"sun" w').sort()).toEqual(expected((number) => number < 10_500 && number % 2 === 0 && number % 3 !== 0))
  expect(found('"w w"')).toEqual([])
})

/** Counts how often it says whether a listing is shown, once for each that a query looks at, and how many are read. */
class CountingIndex extends DirectoryIndex {
  looks = 0
  reads = 0

  override at(position: number) {
    this.reads += 1
    return super.at(position)
  }

  override visibilityKeyAt(position: number): number {
    this.looks += 1
    return super.visibilityKeyAt(position)
  }
}

test('a page far down the directory costs as much as the first: it begins where the one before ended', () => {
  const index = new CountingIndex()
  const base = { name: ['sun'], more: [], isVerified: true, distrust: 0, staleness: 0, okAtMs: 0, networks: [] }
  for (let number = 0; number < 1_000; number += 1) {
    index.put(listing({ ...base, slug: `s-${1_000 + number}`, group: 'added', category: 'ai' }))
  }
  const looks: number[] = []
  let after: DirectoryPlace | undefined
  do {
    index.looks = 0
    const question = { visibility: { listed: 'all', external: 'all' }, q: '', nowMs: NOW } as const
    const { rows } = pageOf(index, question, { limit: 50, after })
    looks.push(index.looks)
    after = rows.at(-1)?.place
  } while (after)
  expect(looks).toHaveLength(21)
  expect(Math.max(...looks)).toBeLessThanOrEqual(51)
})

describe('a filter by price or uptime', () => {
  const index = new CountingIndex()
  const base = { name: ['sun'], more: [], isVerified: true, distrust: 0, staleness: 0, okAtMs: 0, networks: [] }
  for (let number = 0; number < 500; number += 1) {
    const one = listing({ ...base, slug: `s-${1_000 + number}`, group: 'added', category: 'ai' })
    index.put({ ...one, lowestPrice: `0.0${1 + (number % 9)}`, uptime7d: (number % 100) / 100 })
  }
  const question = { visibility: { listed: 'all', external: 'all' }, q: '', nowMs: NOW } as const
  const found = (filters: Pick<DirectoryQuestion, 'maxPrice' | 'minUptime' | 'q'>) => {
    index.reads = 0
    return pageOf(index, { ...question, ...filters }, { limit: 1_000 }).rows.length
  }

  test('that no listing satisfies reads none of them, so that such a search costs no more than others', () => {
    expect(found({ q: '', maxPrice: '0.009' })).toBe(0)
    expect(found({ q: '', minUptime: 1 })).toBe(0)
    expect(found({ q: '-rain', maxPrice: '0' })).toBe(0)
    expect(found({ q: '', maxPrice: '0.00999999999999999999999999999' })).toBe(0)
    expect(index.reads).toBe(0)
  })

  test('reads no listing that has only one of two labels, however many listings have each', () => {
    const labelled = new CountingIndex()
    for (let number = 0; number < 500; number += 1) {
      const networks = [`eip155:${1 + (number % 2)}`]
      const category = number % 2 === 0 ? 'ai' : 'data'
      labelled.put(listing({ ...base, slug: `s-${number}`, group: 'added', networks, category }))
    }
    for (const q of ['', 'sun']) {
      const { rows } = pageOf(labelled, { ...question, q, network: 'eip155:1', category: 'data' }, { limit: 9 })
      expect(rows).toEqual([])
    }
    expect(labelled.reads).toBe(0)
  })

  test('finds the listings at its limit, also after they changed', () => {
    expect(found({ q: '', maxPrice: '0.01' })).toBe(56)
    expect(found({ q: '', minUptime: 0.99 })).toBe(5)
    expect(found({ q: '', maxPrice: '0.01000000000000000000000000001' })).toBe(56)
    expect(found({ q: '', maxPrice: '0.00999999999999999999999999999' })).toBe(0)
    const one = listing({ ...base, slug: 's-1001', group: 'added', category: 'ai' })
    index.put({ ...one, lowestPrice: '0.001', uptime7d: 1 })
    expect(found({ q: '', maxPrice: '0.009' })).toBe(1)
    expect(found({ q: '', minUptime: 1 })).toBe(1)
  })
})

test('excluding a word that every listing has reads none of them: its list tells which have it', () => {
  const index = new CountingIndex()
  const base = { name: ['sun'], isVerified: true, distrust: 0, staleness: 0, okAtMs: 0, networks: [] }
  for (let number = 0; number < 500; number += 1) {
    const more = number % 2 === 0 ? ['rain'] : ['x', 'sunny']
    index.put(listing({ ...base, category: 'ai', slug: `s-${1_000 + number}`, more, group: 'added' }))
  }
  const found = (q: string) => {
    index.reads = 0
    const question = { visibility: { listed: 'all', external: 'all' }, q, nowMs: NOW } as const
    return { rows: pageOf(index, question, { limit: 1_000 }).rows.length, reads: index.reads }
  }
  expect(found('-sun')).toEqual({ rows: 0, reads: 0 })
  expect(found('-rain -x')).toEqual({ rows: 0, reads: 0 })
  expect(found('sun -rain -"sun sun"').rows).toBe(250)
  expect(found('-rain')).toEqual({ rows: 250, reads: 250 })
  expect(found('-"x sunny"').rows).toBe(250)
})

test('a place of the previous version, with one floor, continues by that floor', () => {
  const index = new DirectoryIndex()
  const base = { more: [], distrust: 0, staleness: 0, okAtMs: NOW, networks: [], category: 'ai' as const }
  index.put(listing({ ...base, slug: 'a', name: ['sun', 'rain'], group: 'added', isVerified: true }))
  index.put(listing({ ...base, slug: 'b', name: ['sun', 'rain'], group: 'external', isVerified: false }))
  const question = { visibility: { listed: 'all', external: 'all' }, q: 'sun rain', nowMs: NOW } as const
  const [first] = pageOf(index, question, { limit: 1 }).rows
  expect(first?.kept.slug).toBe('a')
  const after = first && { ...first.place, vouchedFloor: undefined }
  expect(pageOf(index, question, { limit: 9, after }).rows.map(({ kept }) => kept.slug)).toEqual(['b'])
})
