import { expect, test } from 'vitest'
import { wordsOf } from './words.ts'

test.each([
  ['Deep  THOUGHT, 42!', ['deep', 'thought', '42']],
  ['https://api.maps-of-mars.example/v1?x=1', ['https', 'api', 'maps', 'of', 'mars', 'example', 'v1', 'x', '1']],
  ['Größe Ελλάδα Λόγος 東京', ['grosse', 'ελλαδα', 'λογοσ', '東京']],
  ['e\u0301te\u0301 ŁÓDŹ ﬁnd ＡＰＩ', ['ete', 'lodz', 'find', 'api']],
  ['天気予報API', ['天気', '気予', '予報', 'api']],
  ['データ 날씨예보 中', ['デー', 'ータ', '날씨', '씨예', '예보', '中']],
  ['C++17, C#; f# and a+b, obj-c++', ['c++', '17', 'c#', 'f#', 'and', 'a', 'b', 'obj', 'c++']],
  ['page.html#top 100%', ['page', 'html', 'top', '100']],
  ['हिन्दी', ['हिन्दी']],
  ['!? &|', []],
  ['', []],
])('the words of %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test('a word of any length is cut to the length of the longest query', () => {
  expect(wordsOf(`a ${'x'.repeat(5_000)}`).map((word) => word.length)).toEqual([1, 200])
})
