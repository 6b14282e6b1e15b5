import { describe, expect, test } from 'vitest'
import { afterAnswer, afterRefusal, firstRange, isAboutRange, suggestedBlocks } from './ranges.ts'

describe('suggestedBlocks', () => {
  test.each([
    ['Log response size exceeded. Based on your parameters, this block range should work: [0x10, 0x1f]', 16],
    ['Query timeout exceeded. Try with this block range [0x64,0xc7].', 100],
    ['This block range should work: [ 100 , 0xc7 ]', 100],
    ['this BLOCK RANGE should work: [1000000,1000000]', 1],
    ['You can make eth_getLogs requests with up to a 10 block range.', 10],
    ['eth_getLogs is limited to a 10,000 range', 10_000],
    ['eth_getLogs is limited to a 5 block range', 5],
    ['Please limit the query to at most 1000 blocks', 1000],
    ['exceed maximum block range: 5000', 5000],
    ['block range is too wide. Max range: 800', 800],
    ['query exceeds max block range 100000', 100_000],
    ['requested too many blocks, exceeds limit of 2000 blocks', 2000],
    ['exceeds the maximum range of 1_000_000 blocks', 1_000_000],
    ['exceed limit 12,345,678 blocks', 12_345_678],
    ['limited to 7 block ranges', 7],
    ['up to 9 blocks', 9],
    ['maximum range is 3', 3],
  ])('%s', (message, blocks) => {
    expect(suggestedBlocks(message)).toBe(blocks)
    expect(isAboutRange(message)).toBe(true)
  })

  test.each([
    ['query returned more than 10000 results', true],
    ['range too large', true],
    ['Range is too wide', true],
    ['range threshold', true],
    ['the range exceeds what is served', true],
    ['response is too big', true],
    ['response size is too large', true],
    ['Response size too big', true],
    ['response exceeded 10 MB', true],
    ['too many logs', true],
    ['Too many results', true],
    ['too many blocks', true],
    ['exceeded max allowed', true],
    ['exceeded maximum allowed', true],
    ['this block range should work: [one, two]', true],
    ['too many requests', false],
    ['response missing', false],
    ['exceeded allowed credits', false],
    ['block range too large', true],
    ['backend response too large', true],
    ['block range threshold exceeded', true],
    ['no backend is currently healthy to serve traffic', false],
    ['you are limited to 25 requests', false],
    ['header not found', false],
  ])('behavior: %s names no number of blocks', (message, aboutRange) => {
    expect(suggestedBlocks(message)).toBeUndefined()
    expect(isAboutRange(message)).toBe(aboutRange)
  })
})

test('firstRange: few blocks, until their density is known', () => {
  expect(firstRange).toEqual({ blocks: 16, cap: 50_000, named: false })
})

describe('afterAnswer', () => {
  test('default: the next range is sized for the target at this density', () => {
    expect(afterAnswer({ ...firstRange, blocks: 500 }, 500, 20_000).blocks).toBe(250)
  })
  test('behavior: the range at most doubles, even where nothing was found', () => {
    expect(afterAnswer({ ...firstRange, blocks: 500 }, 500, 0).blocks).toBe(1000)
  })
  test('behavior: a short last range does not shrink the next one', () => {
    expect(afterAnswer({ ...firstRange, blocks: 500 }, 3, 30).blocks).toBe(1000)
  })
  test('behavior: the range is never less than one block', () => {
    expect(afterAnswer({ ...firstRange, blocks: 1 }, 1, 1_000_000).blocks).toBe(1)
  })
  test('behavior: a named limit stays, and one found by halving is raised again slowly', () => {
    expect(afterAnswer({ blocks: 10, cap: 10, named: true }, 10, 1).blocks).toBe(10)
    expect(afterAnswer({ blocks: 100, cap: 100, named: false }, 100, 1).blocks).toBe(105)
    expect(afterAnswer({ blocks: 10, cap: 10, named: false }, 10, 1)).toEqual({ blocks: 11, cap: 11, named: false })
    expect(afterAnswer({ blocks: 100, cap: 100, named: false }, 99, 1).cap).toBe(100)
    expect(afterAnswer({ blocks: 10, cap: 10, named: true }, 10, 1)).toEqual({ blocks: 10, cap: 10, named: true })
  })
  test('behavior: never more than 50,000 blocks, however empty they are', () => {
    const widest = { blocks: 50_000, cap: 50_000, named: false }
    expect(afterAnswer(widest, 50_000, 0)).toEqual(widest)
    expect(afterAnswer({ ...widest, blocks: 30_000 }, 30_000, 0).blocks).toBe(50_000)
  })
  test('behavior: rounds down to whole blocks', () => {
    expect(afterAnswer({ ...firstRange, blocks: 500 }, 500, 30_001).blocks).toBe(166)
  })
})

describe('afterRefusal', () => {
  test('default: the suggested range becomes the limit', () => {
    expect(afterRefusal(firstRange, 500, 'Max range: 100')).toEqual({ blocks: 100, cap: 100, named: true })
    expect(afterRefusal(firstRange, 500, 'Max range: 499')).toEqual({ blocks: 499, cap: 499, named: true })
    expect(afterRefusal(firstRange, 500, 'Max range: 1')).toEqual({ blocks: 1, cap: 1, named: true })
  })
  test('behavior: a known limit stays, unless half of the refused range exceeds it', () => {
    const known = { blocks: 300, cap: 300, named: true }
    expect(afterRefusal(known, 400, 'block range too large')).toEqual({ blocks: 200, cap: 300, named: false })
    expect(afterRefusal(known, 900, 'block range too large')).toEqual({ blocks: 450, cap: 450, named: false })
    expect(afterRefusal(known, 7, 'block range too large')).toEqual({ blocks: 3, cap: 6, named: false })
  })
  test.each(['Max range: 500', 'Max range: 0', 'Try with this block range [0x9, 0x1]', 'block range too large'])(
    'behavior: halves the range, where the suggestion is missing or no help: %s',
    (message) => {
      expect(afterRefusal(firstRange, 500, message)).toEqual({ blocks: 250, cap: 499, named: false })
    },
  )
  test('behavior: one block stays one block', () => {
    expect(afterRefusal(firstRange, 1, 'block range too large')).toEqual({ blocks: 1, cap: 1, named: false })
  })
})
