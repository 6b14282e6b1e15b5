import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Vocabulary } from './vocabulary.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ß', '中'), minLength: 1, maxLength: 5 })
const words = fc.uniqueArray(word, { maxLength: 1_500, size: 'max' })
const MOST = 10_000

function check(vocabulary: Vocabulary, known: readonly string[], prefix: string): void {
  const expected = known.filter((one) => one.startsWith(prefix)).sort((a, b) => (a < b ? -1 : 1))
  const ids = expected.map((one) => vocabulary.idOf(one))
  expect(vocabulary.startingWith(prefix, MOST)).toEqual(ids)
  expect(ids.every((id) => id !== undefined && vocabulary.begins(id, prefix))).toBe(true)
}

test('finds the words that begin with a prefix, whether learnt or met, until they are forgotten', async () => {
  await fc.assert(
    fc.asyncProperty(words, words, fc.nat(4), word, async (met, learnt, some, prefix) => {
      const vocabulary = new Vocabulary()
      for (const one of met) vocabulary.meet(one)
      await vocabulary.arrange(async () => {})
      for (const one of learnt) vocabulary.learn(one)
      const all = [...new Set([...met, ...learnt])]
      check(vocabulary, all, prefix)
      const isForgotten = (_: string, index: number) => index % (some + 2) === 0
      for (const one of all.filter(isForgotten)) vocabulary.forget(vocabulary.idOf(one) ?? -1)
      const left = all.filter((one, index) => !isForgotten(one, index))
      check(vocabulary, left, prefix)
      expect(vocabulary.size).toBe(left.length)
    }),
    { numRuns: 20 },
  )
})

test('a prefix of more words than the limit returns none of them', () => {
  const vocabulary = new Vocabulary()
  for (const one of ['a1', 'a2', 'a3', 'b']) vocabulary.learn(one)
  expect(vocabulary.startingWith('a', 3)).toHaveLength(3)
  expect(vocabulary.startingWith('a', 2)).toBeUndefined()
})

test('a long word is found again, whatever characters it has', () => {
  const vocabulary = new Vocabulary()
  for (const one of ['x'.repeat(30), '中'.repeat(30), `${'x'.repeat(30)}\ud800`]) {
    expect(vocabulary.learn(` ${one}`.slice(1))).toBe(vocabulary.idOf(one))
  }
  expect(vocabulary.size).toBe(3)
})
