import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Books } from './books.ts'

const few = () => {
  const books = new Books()
  books.add('weather', 'of venus')
  books.add('maps of mars', 'in colour')
  books.add('atlas', 'mars and more')
  books.add('mars', '')
  return books
}

test.each([
  ['mars', ['mars', 'maps of mars', 'atlas']],
  ['ma', ['maps of mars', 'mars', 'atlas']],
  ['"of mars"', ['maps of mars']],
  ['mars -maps', ['mars', 'atlas']],
  ['venus or atlas', ['atlas', 'weather']],
  ['', ['atlas', 'maps of mars', 'mars', 'weather']],
  ['!?', ['atlas', 'maps of mars', 'mars', 'weather']],
  ['jupiter', []],
])('%j finds %j: exact names first, then words of names, then other text', (query, titles) => {
  expect(few().search(query, 10)).toEqual(titles)
})

test.each(['"deep thought"', '"deep thought" "of earth"', '"of earth" or "deep thought"'])(
  '%s finds the only name with the phrase after more texts than are asked for',
  (query) => {
    const books = new Books()
    for (let number = 1; number <= 9; number += 1) books.add(`a${number} thought`, 'of earth and deep thought')
    books.add('z deep thought', 'of earth')
    expect(books.search(query, 3)).toEqual(['z deep thought', 'a1 thought', 'a2 thought'])
  },
)

describe('alternatives', () => {
  const numbered = () => {
    const books = new Books()
    for (let number = 1; number <= 8; number += 1) books.add(`volume${number}`, '')
    return books
  }
  const volumes = (...numbers: number[]) => numbers.map((number) => `"volume${number}"`).join(' or ')

  test('count once if they are equal, and up to six of those that find something', () => {
    expect(numbered().search(volumes(1, 2, 2, 1, 3, 4, 5, 6), 10)).toHaveLength(6)
    expect(numbered().search(volumes(1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6), 10)).toHaveLength(6)
    expect(numbered().search(volumes(1, 2, 3, 4, 5, 6, 7, 8), 10)).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => `volume${number}`),
    )
  })
})

describe('a word that no book has', () => {
  test('hides no book that has the others', () => {
    expect(few().search('what is the weather on jupiter', 10)).toEqual(['weather'])
    expect(few().search('mars jupiter', 10)).toEqual(['maps of mars', 'mars', 'atlas'])
  })

  test('excludes every book if it is part of a phrase', () => {
    expect(few().search('"mars jupiter"', 10)).toEqual([])
    expect(few().search('mars "jupiter"', 10)).toEqual([])
  })
})

describe('words in other forms', () => {
  const found = (title: string, text: string, query: string) => {
    const books = few()
    books.add(title, text)
    return books.search(query, 10)
  }
  test.each([
    ['stems', 'Translator', '', 'translating'],
    ['accents', 'Météo', '', 'meteo'],
    ['full width', 'ＡＢＣ', '', 'abc'],
    ['an alias', 'Foundation', 'a classic of science fiction', 'sf'],
    ['an alias of several words', 'Foundation', 'sf', 'science fiction'],
    ['a hyphen less', 'Onchain', '', 'on-chain'],
    ['a hyphen more', 'On-chain', '', 'onchain'],
    ['a pair of characters', '天気予報', '', '予報'],
    ['a letter too many', 'Asteroids', '', 'asterroids'],
    ['two letters swapped', 'Asteroids', '', 'asteroisd'],
    ['two letters wrong in a long word', 'Asteroids', '', 'astaroyds'],
  ])('are found by %s', (_what, title, text, query) => {
    expect(found(title, text, query)).toEqual([title])
  })

  test.each([
    ['two letters wrong in a short word', 'Atoll', 'atxxl'],
    ['a code with another digit', 'abcd1234', 'abcd1235'],
    ['a word in quotes', 'Translator', '"translating"'],
  ])('are not found by %s', (_what, title, query) => {
    expect(found(title, '', query)).toEqual([])
  })

  test('rank behind the word itself', () => {
    const books = few()
    books.add('a translation', '')
    books.add('b translator', '')
    expect(books.search('translator', 10)).toEqual(['b translator', 'a translation'])
  })
})

test('books that are inserted at one place displace others, and every word still finds all of them in order', () => {
  const titles = fc.uniqueArray(fc.nat(9_999), { maxLength: 300, size: 'max' })
  fc.assert(
    fc.property(titles, fc.integer({ min: 1, max: 400 }), (numbers, limit) => {
      const books = new Books()
      const coming = numbers.toSorted((a, b) => b - a).map((number) => `t${String(number).padStart(4, '0')}`)
      for (const title of coming) books.add(title, 'rain')
      expect(books.search('rain', limit)).toEqual(coming.toSorted().slice(0, limit))
    }),
    { numRuns: 20 },
  )
})
