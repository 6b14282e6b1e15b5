import { beforeAll, describe, expect, test } from 'vitest'
import { seeded } from '../src/discovery/random.ts'
import { heldOutIntents } from '../src/search-quality/held-out/intents.ts'
import { slipped } from '../src/search-quality/held-out/keyboard.ts'
import { gradeOf } from '../src/search-quality/held-out/relevance.ts'
import { type Facts, type JudgedListing, judgedListings } from '../src/search-quality/listings.ts'

/** The figure has no minimum here: a set that search must pass becomes a set that search is tuned on. */
describe('the held-out set', () => {
  let listings: readonly JudgedListing[]
  beforeAll(() => {
    listings = judgedListings(15_000)
  })

  test('has at least 240 intents, and at least 20 of every kind', () => {
    const kinds = Map.groupBy(heldOutIntents(listings), ({ kind }) => kind)
    expect([...kinds.values()].flat().length).toBeGreaterThanOrEqual(240)
    expect(kinds.size).toBe(21)
    for (const [kind, intents] of kinds) expect(intents.length, kind).toBeGreaterThanOrEqual(20)
  })

  test('every query has a right answer among the visible listings', () => {
    const visible = listings.map(({ facts }) => facts).filter(({ isVisible }) => isVisible)
    const hopeless = heldOutIntents(listings).filter(({ gradeOf }) => !visible.some((facts) => gradeOf(facts) === 3))
    expect(hopeless.map(({ q }) => q)).toEqual([])
  })

  test('no kind repeats a query', () => {
    const asked = heldOutIntents(listings).map(({ kind, q }) => `${kind}: ${q.toLowerCase()}`)
    expect(asked.filter((one, place) => asked.indexOf(one) !== place)).toEqual([])
  })

  test('behavior: is the same in every run', () => {
    const typed = () => heldOutIntents(listings).map(({ kind, q, filters }) => ({ kind, q, filters }))
    expect(typed()).toEqual(typed())
  })
})

describe('grades from facts', () => {
  const facts: Facts = {
    slug: 'bodoki-7',
    brand: 'Bodoki',
    capability: 'translate',
    category: 'ai',
    subject: 'german',
    code: null,
    price: 0.01,
    isVisible: true,
  }

  test.each([
    ['translate', 3],
    ['ocr', 0],
    ['ocr+translate', 3],
    ['translate@german', 3],
    ['translate@french', 0],
    ['translate!german', 0],
    ['translate!french', 3],
    ['translate<0.01', 3],
    ['translate<0.005', 1],
    ['llm#gpt-4o', 0],
  ])('default: %s gives a German translator %i', (wanted, grade) => {
    expect(gradeOf(wanted)(facts)).toBe(grade)
  })

  test('behavior: a listing without a subject or code, or with a related capability, is a near match', () => {
    expect(gradeOf('translate@german')({ ...facts, subject: null })).toBe(1)
    expect(gradeOf('llm#gpt-4o')({ ...facts, capability: 'llm' })).toBe(1)
    expect(gradeOf('air-quality')({ ...facts, capability: 'weather' })).toBe(1)
  })

  test('error: a capability that does not exist', () => {
    expect(() => gradeOf('telepathy')).toThrow('no capability is called "telepathy"')
  })
})

describe('a typing error', () => {
  test('behavior: changes the query, and its length by at most one letter', () => {
    const random = seeded(5)
    for (let turn = 0; turn < 500; turn += 1) {
      const typed = slipped('web scraping', random)
      expect(typed).not.toBe('web scraping')
      expect(Math.abs(typed.length - 'web scraping'.length)).toBeLessThanOrEqual(1)
    }
  })

  test('error: no word is long enough for one', () => {
    expect(() => slipped('ocr', seeded(5))).toThrow('no word of 4 letters')
  })
})
