import { expect, test } from 'vitest'
import { nameKey, plainQuery } from './query-text.ts'

test.each([
  [undefined, ''],
  ['  a \t b\n', 'a b'],
  ['a\u0000b', 'a b'],
  ['https://a.example/x http://b', 'a.example/x b'],
  ['xhttps://a', 'xhttps://a'],
])('plainQuery of %j', (q, expected) => {
  expect(plainQuery(q)).toBe(expected)
})

test('nameKey ignores case and extra spaces, and is never long', () => {
  expect(nameKey(' Deep  THOUGHT ')).toBe('deep thought')
  expect(nameKey('x'.repeat(5_000))).toHaveLength(200)
})
