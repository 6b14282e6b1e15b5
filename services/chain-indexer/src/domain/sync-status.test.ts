import type { Hex } from '@callboard/values'
import { describe, expect, test } from 'vitest'
import type { BlockHeader } from './chain-data.ts'
import { FinalityBroken, finalHeight, type SyncStatus, syncStatusOf } from './sync-status.ts'

const hash = (mark: string): Hex => `0x${mark.repeat(32)}`
const header = (number: number, mark: string): BlockHeader => ({
  number,
  hash: hash(mark),
  parentHash: hash('00'),
  timestamp: 1_800_000_000,
  logsBloom: '0x',
})
const cursor = { number: 100, hash: hash('aa') }

describe('syncStatusOf', () => {
  test.each<[SyncStatus, string, BlockHeader, BlockHeader | undefined]>([
    ['same', 'it is ahead and has our block', header(120, 'bb'), header(100, 'aa')],
    ['same', 'our block is its newest', header(100, 'aa'), header(100, 'aa')],
    ['other', 'it has another block there', header(120, 'bb'), header(100, 'cc')],
    ['other', 'its newest is another block there', header(100, 'cc'), header(100, 'cc')],
    ['lagging', 'it has not come so far', header(99, 'bb'), undefined],
    ['lagging', 'its newest is below our block, whatever it says of that', header(99, 'bb'), header(100, 'cc')],
    ['lagging', 'it does not show the block there', header(120, 'bb'), undefined],
  ])('behavior: %s, where %s', (status, _where, head, atCursor) => {
    expect(syncStatusOf({ head, atCursor }, cursor)).toBe(status)
  })
})

test.each([
  [120, 20, 100],
  [120, 0, 120],
  [20, 20, 0],
  [19, 20, 0],
])('finalHeight: with the head at %i and a depth of %i, it is %i', (head, depth, height) => {
  expect(finalHeight(head, depth)).toBe(height)
})

test('FinalityBroken names the provider and where the cursor stopped', () => {
  const error = new FinalityBroken(cursor, 'rpc 1')
  expect(error.name).toBe('FinalityBroken')
  expect(error.message).toContain(`rpc 1; the cursor is 100 ${hash('aa')}`)
})
