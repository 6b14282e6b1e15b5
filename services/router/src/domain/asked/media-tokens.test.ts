import { describe, expect, test } from 'vitest'
import { mediaTokens } from './media-tokens.ts'

const NONE = { images: 0, fileUnits: 0 }

describe('mediaTokens', () => {
  test('default: an image counts as the most that one is at its model, or else as 1,000', () => {
    expect(mediaTokens({ ...NONE, images: 3 }, { imageTokens: 700 }, 100_000)).toBe(2_100)
    expect(mediaTokens({ ...NONE, images: 3 }, { imageTokens: 0 }, 100_000)).toBe(0)
    expect(mediaTokens({ ...NONE, images: 3 }, {}, 100_000)).toBe(3_000)
  })

  test('behavior: a file counts by its length, and one at a URL as a third of what is held', () => {
    expect(mediaTokens({ ...NONE, fileUnits: 32_001 }, {}, 100_000)).toBe(2_001)
    expect(mediaTokens({ ...NONE, fileUnits: Number.POSITIVE_INFINITY }, {}, 100_000)).toBe(33_334)
    expect(mediaTokens({ images: 1, fileUnits: 32_000 }, {}, 100_000)).toBe(3_000)
  })

  test('behavior: never more than is held, and nothing for a text', () => {
    expect(mediaTokens({ images: 64, fileUnits: 8_000_000 }, {}, 100_000)).toBe(100_000)
    expect(mediaTokens(NONE, {}, 100_000)).toBe(0)
  })
})
