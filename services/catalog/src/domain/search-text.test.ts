import { expect, test } from 'vitest'
import { nameKey, plainQuery, searchText } from './search-text.ts'

test.each([
  [undefined, ''],
  ['  a \t b\n', 'a b'],
  ['a\u0000b', 'a b'],
  ['https://a.example/x http://b', 'a.example/x b'],
  ['xhttps://a', 'xhttps://a'],
])('plainQuery of %j', (q, expected) => {
  expect(plainQuery(q)).toBe(expected)
})

test('nameKey is the same for names that differ in case and spaces, and never long', () => {
  expect(nameKey(' Deep  THOUGHT ')).toBe('deep thought')
  expect(nameKey('x'.repeat(5_000))).toHaveLength(200)
})

test('searchText holds name, hosts in parts, endpoints and description, up to a length', () => {
  const listing = {
    name: 'Deep Thought',
    description: 'Answers',
    operations: [{ name: 'Ask', url: 'https://api.deep.example/ask' }],
  }
  expect(searchText(listing)).toBe('Deep Thought\napi deep example\nAsk https://api.deep.example/ask\nAnswers')
  expect(searchText({ ...listing, description: 'x'.repeat(100_000) })).toHaveLength(20_000)
})
