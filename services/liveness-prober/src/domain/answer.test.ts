import { expect, test } from 'vitest'
import { asksToWait, firstValue, isPage } from './answer.ts'

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
