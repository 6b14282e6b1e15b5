import { describe, expect, test } from 'vitest'
import { corpus } from './corpus.ts'
import { judged, scores } from './score.ts'

describe('on 150,000 settlements of synthetic actors', () => {
  test.each([1, 2])(
    'every pattern is detected with precision 0.95 and recall 0.9, seed %i',
    (seed) => {
      const world = corpus(seed, 150_000)
      for (const { pattern, made, precision, recall } of scores(world, judged(world))) {
        expect(made, pattern).toBeGreaterThan(300)
        expect(precision, pattern).toBeGreaterThanOrEqual(0.95)
        expect(recall, pattern).toBeGreaterThanOrEqual(0.9)
      }
    },
    60_000,
  )

  test('the corpus is the same for the same seed, and differs between seeds', () => {
    const some = (seed: number) => corpus(seed, 1_000).settlements.slice(0, 50)
    expect(some(3)).toEqual(some(3))
    expect(some(3)).not.toEqual(some(4))
  })
})
