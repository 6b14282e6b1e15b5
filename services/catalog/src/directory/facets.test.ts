import type { Facets } from '@callboard/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { payment, pricedOperation, listed as snapshotOf, unreadOperation } from '../../test/support/listed.ts'
import { isPriced } from '../domain/check-summary.ts'
import { type Filters, isOffered } from '../domain/filters.ts'
import type { ListedSnapshot } from '../domain/listed.ts'
import { NO_USAGE } from '../domain/usage.ts'
import { everything } from '../domain/visibility.ts'
import { Directory } from './directory.ts'
import type { DirectoryRecord } from './indexed-listing.ts'

const NETWORKS = ['eip155:1', 'eip155:2'] as const
const ADDRESSES = ['0x00000000000000000000000000000000000000Aa', '0x00000000000000000000000000000000000000Bb'] as const
const PRICES = ['0.1', '0.10', '0.2', '0.1000000000000000000000001']

/** Few values of everything, so that most filters are met by some endpoints together and by others apart. */
const offer = fc.record({
  network: fc.constantFrom(...NETWORKS),
  asset: fc.constantFrom(...ADDRESSES),
  payTo: fc.constantFrom(...ADDRESSES),
  price: fc.constantFrom(...PRICES),
})
const operation = fc.oneof(
  { weight: 4, arbitrary: offer.map(({ price, ...paid }) => pricedOperation({ price, payment: payment(paid) })) },
  fc.constant(unreadOperation()),
)
const snapshot = fc
  .record({
    slug: fc.constantFrom(...Array.from({ length: 8 }, (_, number) => `slug-${number}`)),
    name: fc.constantFrom('sun', 'rain'),
    category: fc.constantFrom('ai' as const, 'data' as const),
    operations: fc.array(operation, { minLength: 1, maxLength: 4 }).filter((all) => all.some(isPriced)),
  })
  .map((more) => snapshotOf(more).snapshot)
const asked = fc.record({
  q: fc.constantFrom('', 'sun'),
  category: fc.option(fc.constantFrom('ai', 'data'), { nil: undefined }),
  network: fc.option(fc.constantFrom(...NETWORKS, 'eip155:3'), { nil: undefined }),
  asset: fc.option(fc.constantFrom(...ADDRESSES.map((address) => address.toLowerCase())), { nil: undefined }),
  payTo: fc.option(fc.constantFrom(...ADDRESSES), { nil: undefined }),
  maxPrice: fc.option(fc.constantFrom('0.05', '0.1', '0.15', '0.10000000000000000000000009'), { nil: undefined }),
})

const recordOf = (one: ListedSnapshot): DirectoryRecord => ({
  slug: one.slug,
  snapshot: JSON.stringify(one),
  checks: [],
  usage: NO_USAGE,
})

function isResult({ name, category, operations }: ListedSnapshot, { q, ...filters }: Filters & { q: string }): boolean {
  if (q !== '' && name !== q) return false
  if (filters.category !== undefined && category !== filters.category) return false
  return operations.some((one) => isPriced(one) && isOffered(one, filters))
}

/** The facets of listings by a plain count. */
function recounted(results: readonly ListedSnapshot[]): Facets {
  const count = (valuesOf: (one: ListedSnapshot) => readonly string[]) => {
    const counts = new Map<string, number>()
    for (const value of results.flatMap((one) => [...new Set(valuesOf(one))])) {
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    return [...counts]
      .map(([value, number]) => ({ value, count: number }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  }
  const payments = ({ operations }: ListedSnapshot) => operations.filter(isPriced).map((one) => one.payment)
  return {
    total: results.length,
    isComplete: true,
    category: count(({ category }) => [category]),
    network: count((one) => payments(one).map(({ network }) => network)),
    asset: count((one) => payments(one).map(({ asset }) => asset.toLowerCase())),
  }
}

describe('facets', () => {
  test('are those of a plain recount with every filter, after any changes and on every page', () => {
    const change = fc.oneof(
      { weight: 4, arbitrary: snapshot },
      snapshot.map(({ slug }) => slug),
    )
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 24 }),
        fc.array(asked, { minLength: 1, maxLength: 6 }),
        (changes, all) => {
          const directory = new Directory()
          const current = new Map<string, ListedSnapshot>()
          for (const one of changes) {
            if (typeof one === 'string') {
              current.delete(one)
              directory.update([one], [])
            } else {
              current.set(one.slug, one)
              directory.update([one.slug], [recordOf(one)])
            }
          }
          for (const filters of all) {
            const results = [...current.values()].filter((one) => isResult(one, filters))
            const question = { ...filters, visibility: everything, nowMs: 0 }
            const first = directory.pageWithHidden(question, { limit: 8 })
            expect(first.rows.map(({ kept }) => kept.slug).sort()).toEqual(results.map(({ slug }) => slug).sort())
            expect(directory.facets(question, first.floors)).toEqual(recounted(results))
            const last = first.rows.at(-1)?.place
            if (!last) continue
            const behind = directory.pageWithHidden(question, { limit: 8, after: last })
            expect(behind.rows).toEqual([])
            expect(directory.facets(question, behind.floors)).toEqual(recounted(results))
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
