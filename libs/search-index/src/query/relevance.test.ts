import { describe, expect, test } from 'vitest'
import { FLOOR, floorOf, leastShareOf, TIERS, tierOf, WHOLE, weightOf } from './relevance.ts'

test('every share has one tier, and a better share never has a worse tier', () => {
  for (let share = 0; share <= WHOLE; share += 1) {
    const tier = tierOf(share)
    expect(tier).toBeGreaterThanOrEqual(1)
    expect(tier).toBeLessThan(TIERS)
    expect(leastShareOf(tier)).toBeLessThanOrEqual(share)
    if (share > 0) expect(tierOf(share - 1)).toBeGreaterThanOrEqual(tier)
    if (tier > 1) expect(leastShareOf(tier - 1)).toBeGreaterThan(share)
  }
})

describe('the floor', () => {
  test('is three quarters of the best share, to within a tier', () => {
    for (let best = 1; best < TIERS; best += 1) {
      const share = best === 1 ? WHOLE : WHOLE - ((best - 1) * WHOLE) / 32
      expect(Math.abs(leastShareOf(floorOf(best)) - share * FLOOR)).toBeLessThanOrEqual(WHOLE / 32)
      expect(floorOf(best)).toBeGreaterThanOrEqual(best)
    }
  })

  test('is the same for an exact name as for a match of all words', () => {
    expect(floorOf(0)).toBe(floorOf(1))
  })

  test('never rises when the best gets worse', () => {
    for (let best = 1; best < TIERS; best += 1) expect(floorOf(best)).toBeGreaterThanOrEqual(floorOf(best - 1))
  })
})

test('a word weighs more the fewer documents have it', () => {
  expect(weightOf(1, 1_000)).toBeGreaterThan(weightOf(10, 1_000))
  expect(weightOf(1_000, 1_000)).toBe(4)
  expect(weightOf(0, 0)).toBeGreaterThan(0)
})
