import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editDistance } from './edit-distance.ts'
import { Spelling } from './spelling.ts'

/** The edit distance by plain recursion. */
function plainDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const isSame = a.at(-1) === b.at(-1)
  const options = [
    plainDistance(a.slice(0, -1), b) + 1,
    plainDistance(a, b.slice(0, -1)) + 1,
    plainDistance(a.slice(0, -1), b.slice(0, -1)) + (isSame ? 0 : 1),
  ]
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) {
    options.push(plainDistance(a.slice(0, -2), b.slice(0, -2)) + 1)
  }
  return Math.min(...options)
}

test('editDistance equals the plain recursion, up to the requested maximum', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, most) => {
      expect(editDistance(a, b, most)).toBe(Math.min(most + 1, plainDistance(a, b)))
    }),
  )
})

describe('Spelling', () => {
  const words = [
    'weather',
    'whether',
    'leather',
    'feather',
    'gate',
    'gates',
    'late',
    'abc1',
    'été',
    '天気予報',
    'recipes',
  ]
  const spelling = () => {
    const one = new Spelling((id) => words[id] ?? '')
    for (const id of words.keys()) one.add(id)
    return one
  }
  const near = (one: Spelling, word: string) =>
    one
      .near(word)
      .map(({ id }) => words[id])
      .sort()

  test.each([
    ['weathr', ['weather']],
    ['wether', ['weather', 'whether']],
    ['wezzher', ['weather']],
    ['wkzther', ['weather', 'whether']],
    ['gaet', ['gate']],
    ['gxxe', []],
    ['abc2', []],
    ['lat', []],
  ])('finds the nearest words to %s', (word, expected) => {
    expect(near(spelling(), word)).toEqual(expected)
  })

  test('a word is not near itself', () => {
    expect(near(spelling(), 'gate')).toEqual(['gates', 'late'])
  })

  test('removed words are no longer found, and all others still are', () => {
    const one = spelling()
    one.remove(0)
    one.remove(7)
    expect(near(one, 'weathr')).toEqual([])
    expect(near(one, 'wether')).toEqual(['whether'])
  })

  test('finds every word within the distance, whatever the words are', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), minLength: 4, maxLength: 9 })
    fc.assert(
      fc.property(fc.uniqueArray(letters, { maxLength: 30 }), letters, (known, word) => {
        const one = new Spelling((id) => known[id] ?? '')
        for (const id of known.keys()) one.add(id)
        const most = word.length >= 7 ? 2 : 1
        const distances = known.map((other) => editDistance(word, other, most))
        const least = Math.min(...distances.filter((distance) => distance > 0))
        const expected = known.filter((_, id) => distances[id] === least && least <= most)
        expect(
          one
            .near(word)
            .map(({ id }) => known[id])
            .sort(),
        ).toEqual(expected.sort())
      }),
    )
  })
})
