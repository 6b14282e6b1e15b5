import { expect, test } from 'vitest'
import { wordsOf } from './words.ts'

test.each([
  ['Deep  THOUGHT, 42!', ['deep', 'thought', '42']],
  ['https://api.maps-of-mars.example/v1?x=1', ['https', 'api', 'maps', 'of', 'mars', 'example', 'v1', 'x', '1']],
  ['Größe Ελλάδα 東京', ['größe', 'ελλάδα', '東京']],
  ['e\u0301te\u0301', ['e\u0301te\u0301']],
  ['!? &|', []],
  ['', []],
])('the words of %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test('a word of any length is cut to that of the longest query', () => {
  expect(wordsOf(`a ${'x'.repeat(5_000)}`).map((word) => word.length)).toEqual([1, 200])
})
