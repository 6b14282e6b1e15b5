import { describe, expect, test } from 'vitest'
import { overdueMs, pauseMs } from './overdue.ts'

const BLOCK_MS = 2_000
const at = (ms: number) => ({ since: 1_000, now: 1_000 + ms, blockTimeMs: BLOCK_MS })

describe('overdueMs', () => {
  test('default: overdue after three blocks and two seconds', () => {
    expect([7_999, 8_000, 8_001].map((ms) => overdueMs(at(ms)))).toEqual([-1, 0, 1])
  })
})

describe('pauseMs', () => {
  test('behavior: no pause while there is time', () => {
    expect([0, 7_999, 8_000].map((ms) => pauseMs(at(ms)))).toEqual([0, 0, 0])
  })

  test('behavior: grows with the time that the payment is overdue, up to ten seconds', () => {
    expect([8_400, 12_000, 28_000, 48_000, 3_600_000].map((ms) => pauseMs(at(ms)))).toEqual([
      100, 1_000, 5_000, 10_000, 10_000,
    ])
  })

  test('behavior: a stuck payment is checked 76 times in its first ten minutes, instead of 1,500', () => {
    let questions = 0
    for (let ms = 8_400; ms < 600_000; ms += pauseMs(at(ms))) questions += 1
    expect(questions).toBe(76)
  })
})
