import { expect, test } from 'vitest'
import { kept } from './kept-scores.ts'
import { isEnough } from './score.ts'

test('every kept score reaches the required minimum', () => {
  const scores = Object.entries(kept())
  expect(scores.length).toBeGreaterThan(0)
  expect(scores.filter(([, score]) => !isEnough(score)).map(([file]) => file)).toEqual([])
})
