import { describe, expect, test } from 'vitest'
import { boundedWalk, DOCUMENT_BOUNDS, WalkTooLong, withinBounds } from './foreign-walk.ts'

describe('boundedWalk', () => {
  test('default: allows exactly as many nodes as its limit', () => {
    const enter = boundedWalk({ maxDepth: 2, maxNodes: 3 })
    for (const depth of [0, 1, 2]) enter(depth)
    expect(() => enter(0)).toThrow(WalkTooLong)
  })

  test('default: allows exactly the depth of its limit', () => {
    const enter = boundedWalk({ maxDepth: 2, maxNodes: 9 })
    enter(2)
    expect(() => enter(3)).toThrow(WalkTooLong)
  })

  test('behavior: each walk counts its own nodes', () => {
    const bounds = { maxDepth: 1, maxNodes: 1 }
    boundedWalk(bounds)(0)
    expect(() => boundedWalk(bounds)(0)).not.toThrow()
  })
})

describe('withinBounds', () => {
  const found = (depth: number) => (enter: (depth: number) => void) => {
    enter(depth)
    return 'found'
  }

  test('default: returns what the walk found', () => {
    expect(withinBounds({ maxDepth: 0, maxNodes: 1 }, found(0), 'otherwise')).toBe('found')
  })

  test('behavior: returns the fallback for a walk that exceeds its limits', () => {
    expect(withinBounds({ maxDepth: 0, maxNodes: 1 }, found(1), 'otherwise')).toBe('otherwise')
  })

  test('behavior: reads 48 levels of a third party’s document, and no more', () => {
    expect(withinBounds(DOCUMENT_BOUNDS, found(48), 'otherwise')).toBe('found')
    expect(withinBounds(DOCUMENT_BOUNDS, found(49), 'otherwise')).toBe('otherwise')
  })

  test('error: another failure within a walk is not treated as its end', () => {
    const broken = () => {
      throw new TypeError('broken')
    }
    expect(() => withinBounds(DOCUMENT_BOUNDS, broken, undefined)).toThrow(TypeError)
  })
})

test('a walk that went too far says so, by name and with its limits', () => {
  const error = new WalkTooLong({ maxDepth: 2, maxNodes: 3 })
  expect(error.name).toBe('WalkTooLong')
  expect(error.message).toMatch(/2 levels.* 3 nodes/)
})
