import { HOUR_MS, isoTime } from '@callboard/values'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { snapshot } from '../../test/support/facts.ts'
import { NO_USAGE } from '../domain/usage.ts'
import { DirectoryIndex } from './directory-index.ts'
import { indexedListing } from './indexed-listing.ts'
import { pageOf } from './page.ts'
import { tieBreak } from './tie-break.ts'

const AT = Date.parse('2026-11-19T12:30:00.000Z')

const slug = fc.option(fc.string(), { nil: undefined })

test('what was listed first comes first, whatever its slug', () => {
  fc.assert(
    fc.property(slug, slug, fc.integer({ min: 1, max: HOUR_MS }), (one, other, laterMs) => {
      expect(tieBreak(AT, one)).toBeLessThan(tieBreak(AT + laterMs, other))
      expect(tieBreak(-AT)).toBeGreaterThan(tieBreak(-AT - laterMs))
    }),
  )
})

test('of what was imported at once, a hash of the slug decides, and not the alphabet', () => {
  const slugs = Array.from({ length: 100 }, (_, number) => `s-${100 + number}`)
  const inOrder = slugs.toSorted((a, b) => tieBreak(AT, a) - tieBreak(AT, b))
  expect(inOrder).not.toEqual(slugs)
  expect(new Set(slugs.map((one) => tieBreak(AT, one))).size).toBeGreaterThan(50)
})

test('a place is a whole number that a cursor can hold, for centuries', () => {
  expect(Number.isSafeInteger(tieBreak(Date.parse('2200-01-01T00:00:00Z'), 'x'))).toBe(true)
  expect(Number.isSafeInteger(tieBreak(-Date.parse('2200-01-01T00:00:00Z')))).toBe(true)
})

const record = (slug: string, atMs: number) => ({
  slug,
  snapshot: JSON.stringify(snapshot(slug, { name: 'Weather', listedAt: isoTime(atMs) })),
  checks: [],
  usage: NO_USAGE,
})

const question = { visibility: { listed: 'all', external: 'all' }, nowMs: AT } as const

test('a name that begins the alphabet gives no place before an established listing, and cursors of the previous version go on', () => {
  const index = new DirectoryIndex()
  for (const [at, slug] of ['weather', 'a-weather', '0-weather'].entries()) {
    index.put(indexedListing(record(slug, AT + at * HOUR_MS)))
  }
  for (const q of ['', 'weather']) {
    const rows = (after?: Parameters<typeof pageOf>[2]['after']) =>
      pageOf(index, { ...question, q }, { limit: 9, after }).rows
    expect(rows().map(({ kept }) => kept.slug)).toEqual(['weather', 'a-weather', '0-weather'])
    const first = rows()[0]?.place
    const { tieBreak: _, ...previous } = first ?? expect.fail('there is no first row')
    expect(rows(previous).map(({ kept }) => kept.slug)).toEqual(['a-weather', '0-weather'])
    index.remove('weather')
    expect(rows(previous).map(({ kept }) => kept.slug)).toEqual(['a-weather', '0-weather'])
    index.put(indexedListing(record('weather', AT)))
  }
})

test('a listing that was listed anew with the same text moves behind those that were there', () => {
  const index = new DirectoryIndex()
  index.put(indexedListing(record('one', AT)))
  index.put(indexedListing(record('other', AT + HOUR_MS)))
  index.put(indexedListing(record('one', AT + 2 * HOUR_MS)))
  expect(pageOf(index, { ...question, q: '' }, { limit: 9 }).rows.map(({ kept }) => kept.slug)).toEqual([
    'other',
    'one',
  ])
})
