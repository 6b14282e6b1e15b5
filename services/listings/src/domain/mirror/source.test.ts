import { describe, expect, test } from 'vitest'
import { afterPage, afterTooLarge, MAX_PAGES, newRun, nextDocument, PAGE_LIMIT, type SourceRun } from './source.ts'

const run = newRun('run', 0)
const page = (entries: number, more = {}) => ({ entries, digest: `${entries}`, notTaken: {}, ...more })
const going = (next: SourceRun | string): SourceRun => {
  if (typeof next === 'string') throw new Error(next)
  return next
}

test('newRun: starts with nothing read, and asks for 100 entries', () => {
  expect(newRun('a', 5)).toEqual({
    ...{ id: 'a', startedAt: 5, offset: 0, limit: 100, follow: [], pages: 0, read: [], notTaken: {} },
  })
  expect([PAGE_LIMIT, MAX_PAGES]).toEqual([100, 1_000])
})

describe('nextDocument', () => {
  test('default: returns the page of a facilitator, with its filters', () => {
    const source = { kind: 'facilitator', url: 'https://a.example/r?v=1', filters: { type: 'http' } } as const
    const { url } = nextDocument(source, { ...run, offset: 200, limit: 50 })
    expect(url.href).toBe('https://a.example/r?v=1&type=http&limit=50&offset=200')
  })

  test('behavior: a filter that is not set is not sent', () => {
    const source = { kind: 'facilitator', url: 'https://a.example/r', filters: { type: undefined, q: 'x' } } as const
    const { kind, url } = nextDocument(source, run)
    expect([kind, url.search]).toEqual(['facilitator', '?q=x&limit=100&offset=0'])
  })

  test('behavior: any other source is read as it is, then what its catalog leads to', () => {
    const source = { kind: 'api-catalog', url: 'https://a.example/c', filters: { type: 'http' } } as const
    expect(nextDocument(source, run)).toEqual({ kind: 'api-catalog', url: new URL('https://a.example/c') })
    const follow = [{ kind: 'openapi', url: 'https://b.example/o' }] as const
    expect(nextDocument(source, { ...run, follow }).url.href).toBe('https://a.example/c')
    expect(nextDocument(source, { ...run, pages: 1, follow })).toMatchObject({
      kind: 'openapi',
      url: { host: 'b.example' },
    })
  })
})

describe('afterPage', () => {
  test('default: a facilitator ends with its last entry, or with an empty page', () => {
    expect(going(afterPage('facilitator', run, page(100, { total: 150 })))).toMatchObject({ offset: 100, pages: 1 })
    expect(afterPage('facilitator', { ...run, offset: 100 }, page(50, { total: 150 }))).toBe('done')
    expect(afterPage('facilitator', run, page(0))).toBe('done')
    expect(going(afterPage('facilitator', run, page(1))).offset).toBe(1)
  })

  test('behavior: a repeated page, or endless pages, are a loop and no end', () => {
    const once = going(afterPage('facilitator', run, page(100, { digest: 'same' })))
    expect(afterPage('facilitator', once, page(100, { digest: 'same' }))).toBe('loops')
    expect(going(afterPage('facilitator', once, page(100, { digest: 'other' }))).offset).toBe(200)
    expect(afterPage('facilitator', { ...run, pages: MAX_PAGES - 1 }, page(100))).toBe('loops')
  })

  test('behavior: entries that were not taken are summed up by reason', () => {
    const next = going(
      afterPage('facilitator', { ...run, notTaken: { url: 1, type: 2 } }, page(9, { notTaken: { url: 3 } })),
    )
    expect(next.notTaken).toEqual({ url: 4, type: 2 })
  })

  test('behavior: a document ends at once, and a catalog with the last document that it leads to', () => {
    expect(afterPage('openapi', run, page(5))).toBe('done')
    const follow = [
      { kind: 'openapi', url: 'https://a.example/1' },
      { kind: 'api-catalog', url: 'https://a.example/2' },
    ] as const
    const first = going(afterPage('api-catalog', run, page(0, { follow })))
    const second = going(afterPage('api-catalog', first, page(3)))
    expect(second.follow).toEqual([follow[1]])
    // In a catalog within a catalog, descriptions are read, but no further catalogs.
    const third = going(afterPage('api-catalog', second, page(0, { follow })))
    expect(third.follow).toEqual([follow[0]])
    expect(afterPage('api-catalog', third, page(0))).toBe('done')
  })
})

describe('afterPage, page by page', () => {
  const links = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ kind: 'openapi' as const, url: `https://a.example/${at}` }))

  test('behavior: pages are remembered by digest, and every page is counted', () => {
    const next = going(afterPage('facilitator', run, page(3, { digest: 'one' })))
    expect(next).toMatchObject({ read: ['one'], pages: 1, follow: [] })
    expect(going(afterPage('facilitator', next, page(4, { digest: 'two' })))).toMatchObject({
      ...{ read: ['one', 'two'], pages: 2, offset: 7 },
    })
  })

  test('behavior: a catalog has no offset, may lead to the same document twice, and to 200 at most', () => {
    const next = going(afterPage('api-catalog', run, page(5, { follow: links(201), digest: 'same' })))
    expect([next.follow.length, next.offset]).toEqual([200, 0])
    expect(going(afterPage('api-catalog', next, page(5, { digest: 'same' }))).follow).toHaveLength(199)
  })

  test('behavior: a catalog that leads on without end is stopped', () => {
    const late = { ...run, pages: MAX_PAGES - 1, follow: links(3) }
    expect(afterPage('api-catalog', late, page(1))).toBe('loops')
    expect(going(afterPage('api-catalog', { ...late, pages: MAX_PAGES - 2 }, page(1))).pages).toBe(MAX_PAGES - 1)
  })

  test('behavior: a total that was reached is the end, and a greater one is not', () => {
    expect(afterPage('facilitator', { ...run, offset: 5 }, page(5, { total: 9 }))).toBe('done')
    expect(going(afterPage('facilitator', { ...run, offset: 5 }, page(5, { total: 11 }))).offset).toBe(10)
  })

  test('behavior: a reason without a number adds none', () => {
    expect(going(afterPage('facilitator', run, page(1, { notTaken: { url: undefined } }))).notTaken).toEqual({ url: 0 })
  })
})

describe('afterTooLarge', () => {
  test('default: asks for half as many entries', () => {
    expect(afterTooLarge(run)).toMatchObject({ limit: PAGE_LIMIT / 2, offset: 0, notTaken: {} })
  })

  test('behavior: half of an odd number is rounded down, to at least one', () => {
    expect([3, 2].map((limit) => afterTooLarge({ ...run, limit }).limit)).toEqual([1, 1])
    expect(afterTooLarge({ ...run, limit: 1 }).notTaken).toEqual({ too_large: 1 })
  })

  test('behavior: an entry that fits on no page is skipped and counted', () => {
    const next = afterTooLarge({ ...run, limit: 1, offset: 7, notTaken: { too_large: 1 } })
    expect(next).toMatchObject({ limit: PAGE_LIMIT, offset: 8, pages: 1, notTaken: { too_large: 2 } })
  })
})
