import { beforeAll, describe, expect, test } from 'vitest'
import { type Intent, intents } from '../src/search-quality/intents.ts'
import { judged, type Verdict } from '../src/search-quality/judging.ts'
import { judgedListings } from '../src/search-quality/listings.ts'
import { ourSearch } from '../src/search-quality/ours.ts'

describe('the judged set', () => {
  let all: readonly Intent[]
  let verdict: Verdict
  beforeAll(async () => {
    const listings = judgedListings(15_000)
    const facts = listings.map((one) => one.facts)
    all = intents(facts)
    verdict = await judged(await ourSearch(listings), all, facts)
  }, 120_000)

  test('has at least 300 intents, and at least 20 of every kind', () => {
    expect(all.length).toBeGreaterThanOrEqual(300)
    expect(verdict.byKind.size).toBe(10)
    for (const { intents: count } of verdict.byKind.values()) expect(count).toBeGreaterThanOrEqual(20)
  })

  test('nDCG@10 of discovery is at least 0.80', () => {
    expect(verdict.ndcg).toBeGreaterThanOrEqual(0.8)
  })

  test('at most 2 % of queries find nothing', () => {
    expect(verdict.emptyShare).toBeLessThanOrEqual(0.02)
  })

  test('no filter is ever ignored', () => {
    expect(verdict.ignoredFilters).toBe(0)
  })
})
