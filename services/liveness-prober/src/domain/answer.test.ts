import { expect, test } from 'vitest'
import { asksToWait, codingsOf, firstValue, isDecodable, isPage } from './answer.ts'

test('firstValue: returns the first of a header’s values, and an empty string if there is none', () => {
  expect([firstValue('a'), firstValue(['a', 'b']), firstValue([]), firstValue(undefined)]).toEqual(['a', 'a', '', ''])
})

test.each(['text/html', 'Text/HTML; charset=utf-8', 'application/xhtml+xml', ['text/html', 'application/json']])(
  'isPage: %j is a web page',
  (type) => expect(isPage({ 'content-type': type })).toBe(true),
)

test.each(['application/json', 'text/plain', 'x-text/html', ' application/xhtml', ''])(
  'isPage: %j is not a web page',
  (type) => expect(isPage({ 'content-type': type })).toBe(false),
)

test('isPage: an answer without a type is not a web page', () => expect(isPage({})).toBe(false))

test('asksToWait: is true for 429 and 503, and for no other status', () => {
  const statuses = Array.from({ length: 500 }, (_, at) => 100 + at)
  expect(statuses.filter(asksToWait)).toEqual([429, 503])
})

test.each<[string | string[] | undefined, string[]]>([
  [undefined, []],
  ['', []],
  ['identity', []],
  ['GZIP', ['gzip']],
  [' deflate ,identity, br', ['deflate', 'br']],
  [
    ['gzip', 'br, zstd'],
    ['gzip', 'br', 'zstd'],
  ],
])('codingsOf: %j are %j, in the order in which they were applied', (value, codings) =>
  expect(codingsOf(value)).toEqual(codings),
)

test('isDecodable: only codings of Node’s fetch are undone, and at most five of them', () => {
  expect(isDecodable([])).toBe(true)
  expect(isDecodable(['gzip', 'x-gzip', 'deflate', 'br', 'zstd'])).toBe(true)
  expect(isDecodable(Array.from({ length: 6 }, () => 'gzip'))).toBe(false)
  expect(isDecodable(['gzip', 'compress'])).toBe(false)
  expect(isDecodable(['toString'])).toBe(false)
})
