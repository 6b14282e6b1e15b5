import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cursorOf, placeOf } from './listing-cursor.ts'

const sealed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const hasNoNul = (text: string) => !text.includes('\0')

describe('cursorOf', () => {
  test('default: a cursor that a client kept can be read by the next release', () => {
    const cursor = 'WyJsaXN0aW5ncy5taW5lLzEiLDE4MDAwMDAwMDAwMDAsInF1b3RlcyJd'
    expect(cursorOf({ createdAt: 1_800_000_000_000, slug: 'quotes' })).toBe(cursor)
    expect(placeOf(cursor)).toEqual({ createdAt: 1_800_000_000_000, slug: 'quotes' })
  })

  test('behavior: every place can be read back from its cursor, which needs no escaping in a query', () => {
    fc.assert(
      fc.property(fc.nat(), fc.string({ maxLength: 32, unit: 'binary' }).filter(hasNoNul), (createdAt, slug) => {
        const cursor = cursorOf({ createdAt, slug })
        expect(cursor).toMatch(/^[\w-]+$/)
        expect(placeOf(cursor)).toEqual({ createdAt, slug })
      }),
    )
  })
})

describe('placeOf', () => {
  test('default: accepts a slug of 64 characters at time 0', () => {
    expect(placeOf(sealed(['listings.mine/1', 0, 'a'.repeat(64)]))).toEqual({ createdAt: 0, slug: 'a'.repeat(64) })
  })

  test.each([
    ['no text', ''],
    ['no base64', '€€€'],
    ['no JSON', Buffer.from('listings').toString('base64url')],
    ['a cursor of another list', sealed(['catalog.services/1', 0, 'quotes'])],
    ['a place before time', sealed(['listings.mine/1', -1, 'quotes'])],
    ['a place between two moments', sealed(['listings.mine/1', 0.5, 'quotes'])],
    ['a time in words', sealed(['listings.mine/1', '0', 'quotes'])],
    ['a time after the year 9999', sealed(['listings.mine/1', 253_402_300_800_001, 'quotes'])],
    ['a slug with a NUL', sealed(['listings.mine/1', 0, 'quo\0tes'])],
    ['a slug that is too long', sealed(['listings.mine/1', 0, 'a'.repeat(65)])],
    ['no slug', sealed(['listings.mine/1', 0])],
    ['more than a place', sealed(['listings.mine/1', 0, 'quotes', 1])],
    ['an object', sealed({ createdAt: 0, slug: 'quotes' })],
    ['nothing', sealed(null)],
  ])('error: %s is no cursor of this list', (_what, cursor) => {
    expect(placeOf(cursor)).toBeUndefined()
  })
})
