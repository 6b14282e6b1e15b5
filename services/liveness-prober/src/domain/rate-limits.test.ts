import { describe, expect, test } from 'vitest'
import { rateLimits } from './rate-limits.ts'

/** What the limits say about the origin after each answer of a visit; L is a limited one. */
function visit(answers: string): boolean[] {
  const limits = rateLimits()
  return [...answers].map((answer) => limits.note(answer === 'L'))
}

describe('an origin asks for fewer requests', () => {
  test('with the third limited endpoint in a row, and with every one after it', () => {
    expect(visit('LLLL')).toEqual([false, false, true, true])
  })

  test('not with fewer in a row, however many there are in all', () => {
    expect(visit('LL.LL.LL.LL')).toEqual(Array(11).fill(false))
  })

  test('no longer once another endpoint answers', () => {
    expect(visit('LLL.LLL')).toEqual([false, false, true, false, false, false, true])
  })

  test('only by its own visit', () => {
    visit('LL')
    expect(visit('L')).toEqual([false])
  })
})
