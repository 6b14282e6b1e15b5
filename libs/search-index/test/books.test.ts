import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Books } from './books.ts'

test.each([
  ['mars', ['mars', 'maps of mars', 'atlas']],
  ['ma', ['maps of mars', 'mars', 'atlas']],
  ['"of mars"', ['maps of mars']],
  ['mars -maps', ['mars', 'atlas']],
  ['venus or atlas', ['atlas', 'weather']],
  ['', ['atlas', 'maps of mars', 'mars', 'weather']],
  ['jupiter', []],
])('%j finds %j: exact names first, then words of names, then other text', (query, titles) => {
  const books = new Books()
  books.add('weather', 'of venus')
  books.add('maps of mars', 'in colour')
  books.add('atlas', 'mars and more')
  books.add('mars', '')
  expect(books.search(query, 10)).toEqual(titles)
})

test('books that come in at one place push others on, and every word still finds all in order', () => {
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
