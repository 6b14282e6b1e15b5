import { describe, expect, test } from 'vitest'
import { sampleHeights } from './completeness.ts'

describe('sampleHeights', () => {
  test('default: every block of a short range', () => {
    expect(sampleHeights(5, 8)).toEqual([5, 6, 7, 8])
    expect(sampleHeights(5, 5)).toEqual([5])
  })
  test.each([513, 1000, 1024, 50_000])(
    'behavior: at most 512 of %i blocks, within the range and with its last',
    (blocks) => {
      const heights = sampleHeights(100, 99 + blocks)
      expect(heights.length).toBeLessThanOrEqual(512)
      expect(heights.length).toBeGreaterThan(256)
      expect(heights[0]).toBeGreaterThanOrEqual(100)
      expect(heights.at(-1)).toBe(99 + blocks)
      expect(new Set(heights).size).toBe(heights.length)
    },
  )
})
