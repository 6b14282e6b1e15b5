import { describe, expect, test } from 'vitest'
import { cursorAfter, placeOf, type SearchPlace } from './search-cursor.ts'

const question = { query: 'weather', network: 'eip155:8453' }
const place: SearchPlace = { lacks: false, rank: 0.25, resource: 'https://a.example/weather' }
/** Cursors remain valid across releases, so their format is fixed. */
const CURSOR =
  'eyJxdWVzdGlvbiI6InhLVlpPWE5lc1ZjdC1ra3giLCJsYWNrcyI6ZmFsc2UsInJhbmsiOjAuMjUsInJlc291cmNlIjoiaHR0cHM6Ly9hLmV4YW1wbGUvd2VhdGhlciJ9'

const written = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const read = (cursor: string) => JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Record<string, unknown>

describe('cursorAfter', () => {
  test('default: has the form that clients hold', () => expect(cursorAfter(question, place)).toBe(CURSOR))

  test('behavior: is short and safe in a URL, however long the question', () => {
    const cursor = cursorAfter({ query: 'x'.repeat(10_000) }, place)
    expect(cursor).toMatch(/^[\w-]{100,200}$/)
  })
})

describe('placeOf', () => {
  test.each([false, true])('default: returns the place where the same question stopped, lacking: %s', (lacks) => {
    expect(placeOf(question, cursorAfter(question, { ...place, lacks }))).toMatchObject({ ...place, lacks })
  })

  test('behavior: undefined for another question', () => {
    const cursor = cursorAfter(question, place)
    expect(placeOf({ ...question, query: 'news' }, cursor)).toBeUndefined()
    expect(placeOf({ ...question, network: 'eip155:1' }, cursor)).toBeUndefined()
  })

  test.each([
    ['nothing', ''],
    ['no JSON', Buffer.from('weather').toString('base64url')],
    ['a cursor cut short', CURSOR.slice(0, -4)],
    ['a place without resource', written({ ...read(CURSOR), resource: undefined })],
    ['a resource with a NUL', written({ ...read(CURSOR), resource: 'https://a.example/\0' })],
    ['a rank that is no number', written({ ...read(CURSOR), rank: '1' })],
    ['a member more', written({ ...read(CURSOR), more: 1 })],
    ['a list', written([read(CURSOR)])],
  ])('behavior: undefined for %s', (_what, cursor) => expect(placeOf(question, cursor)).toBeUndefined())
})
