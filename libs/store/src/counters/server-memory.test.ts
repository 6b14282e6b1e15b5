import { expect, test } from 'vitest'
import { memoryIn } from './server-memory.ts'

const MEMORY =
  '# Memory\r\nused_memory:1048576\r\nused_memory_human:1.00M\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\n'
const STATS = '# Stats\r\nevicted_keys:7\r\n'

test('default: reads used bytes, the limit and evicted keys', () => {
  expect(memoryIn(MEMORY + STATS)).toEqual({ usedBytes: 1_048_576, limitBytes: 0, evictedKeys: 7 })
})

test('error: a missing field is named, not read as zero', () => {
  expect(() => memoryIn(MEMORY)).toThrow('Redis does not say its evicted_keys')
})
