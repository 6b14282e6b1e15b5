import { describe, expect, test } from 'vitest'
import { readQuery, saysWhatIs } from './search-query.ts'

/** A query in one line: `/` for or, `-` for not, `*` for a prefix, `+` within a phrase, `=` before a required term. */
const shown = (q: string): string =>
  readQuery(q)
    .map(({ terms, words }) =>
      [
        ...terms.map((term) => `${term.isExcluded ? '-' : '='}${term.words.join('+')}`),
        ...words.map(({ word, isPrefix }) => `${word}${isPrefix ? '*' : ''}`),
      ].join(' '),
    )
    .join(' / ')

test.each([
  ['', ''],
  ['!? &|', ''],
  ['🌦 …', ''],
  ['Deep thought', 'deep thought*'],
  ['"Deep thought"', '=deep+thought'],
  ['"deep" thought', '=deep thought*'],
  ['"deep thought', '=deep+thought'],
  ['deep -thought', '-thought deep'],
  ['-"deep thought" x', '-deep+thought x*'],
  ['- deep', '-deep'],
  ['--deep', 'deep*'],
  ['a -', 'a*'],
  ['a - or b', '-or a b*'],
  ['a.example/b', 'a example b*'],
  ['a&b|c', 'a b c*'],
  ['a or b c OR d', 'a / b c / d*'],
  ['"a b" or c or "A, b" or c or "a b"', '=a+b / c'],
  ['a or b or a', 'a / b / a*'],
  ['a b or b a or "a" b or "b"', 'a b / b a / =a b / =b'],
  ['-a or a or -a', '-a / a'],
  ['"a" "a b" "A" -c -c or "a b" "a" -"c"', '=a =a+b -c / =a+b =a -c'],
  ['or a', 'or a*'],
  ['a or', 'a or*'],
  ['a order', 'a order*'],
  ['a or-b', 'a or b*'],
  ['"a or b"', '=a+or+b'],
  ['a or !?', 'a*'],
  ['a or "', 'a'],
  ['a -%', 'a'],
  ['C++ and c#', 'c++ and c#*'],
  ['東京 天気予報', '東京 天気 気予 予報*'],
  ['東 x y', '東* x y*'],
])('%j asks for %s', (q, expected) => {
  expect(shown(q)).toBe(expected)
})

describe('saysWhatIs', () => {
  test.each([
    ['a -b', true],
    ['-b', false],
    ['a or -b', false],
    ['a or b -c', true],
    ['', false],
  ])('%j: %s', (q, expected) => {
    expect(saysWhatIs(readQuery(q))).toBe(expected)
  })
})
