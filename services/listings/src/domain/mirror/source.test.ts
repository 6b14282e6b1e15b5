import { describe, expect, test } from 'vitest'
import { afterPage, afterTooLarge, MAX_PAGES, newRun, nextDocument, PAGE_LIMIT, type SourceRun } from './source.ts'

const run = newRun('run', 0)
const page = (entries: number, more = {}) => ({ entries, digest: `${entries}`, notTaken: {}, ...more })
const going = (next: SourceRun | string): SourceRun => {
  if (typeof next === 'string') throw new Error(next)
  return next
}

describe('nextDocument', () => {
  test('default: the page of a facilitator, with its filters', () => {
    const source = { kind: 'facilitator', url: 'https://a.example/r?v=1', filters: { type: 'http' } } as const
    const { url } = nextDocument(source, { ...run, offset: 200, limit: 50 })
    expect(url.href).toBe('https://a.example/r?v=1&type=http&limit=50&offset=200')
  })

  test('behavior: any other source as it is, then what its catalog leads to', () => {
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
  test('default: a facilitator is over with its last entry, or with a page without any', () => {
    expect(going(afterPage('facilitator', run, page(100, { total: 150 })))).toMatchObject({ offset: 100, pages: 1 })
    expect(afterPage('facilitator', { ...run, offset: 100 }, page(50, { total: 150 }))).toBe('done')
    expect(afterPage('facilitator', run, page(0))).toBe('done')
    expect(going(afterPage('facilitator', run, page(1))).offset).toBe(1)
  })

  test('behavior: the same page again, or pages without end, are no end', () => {
    const once = going(afterPage('facilitator', run, page(100, { digest: 'same' })))
    expect(afterPage('facilitator', once, page(100, { digest: 'same' }))).toBe('loops')
    expect(going(afterPage('facilitator', once, page(100, { digest: 'other' }))).offset).toBe(200)
    expect(afterPage('facilitator', { ...run, pages: MAX_PAGES - 1 }, page(100))).toBe('loops')
  })

  test('behavior: what was not taken in is summed up', () => {
    const next = going(
      afterPage('facilitator', { ...run, notTaken: { url: 1, type: 2 } }, page(9, { notTaken: { url: 3 } })),
    )
    expect(next.notTaken).toEqual({ url: 4, type: 2 })
  })

  test('behavior: a document is over at once, a catalog with the last of what it leads to', () => {
    expect(afterPage('openapi', run, page(5))).toBe('done')
    const follow = [
      { kind: 'openapi', url: 'https://a.example/1' },
      { kind: 'api-catalog', url: 'https://a.example/2' },
    ] as const
    const first = going(afterPage('api-catalog', run, page(0, { follow })))
    const second = going(afterPage('api-catalog', first, page(3)))
    expect(second.follow).toEqual([follow[1]])
    // Of a catalog in a catalog the descriptions are read, and no further catalogs.
    const third = going(afterPage('api-catalog', second, page(0, { follow })))
    expect(third.follow).toEqual([follow[0]])
    expect(afterPage('api-catalog', third, page(0))).toBe('done')
  })
})

describe('afterTooLarge', () => {
  test('default: half as many entries', () => {
    expect(afterTooLarge(run)).toMatchObject({ limit: PAGE_LIMIT / 2, offset: 0, notTaken: {} })
  })

  test('behavior: an entry that no page holds is passed over and counted', () => {
    const next = afterTooLarge({ ...run, limit: 1, offset: 7, notTaken: { too_large: 1 } })
    expect(next).toMatchObject({ limit: PAGE_LIMIT, offset: 8, pages: 1, notTaken: { too_large: 2 } })
  })
})
