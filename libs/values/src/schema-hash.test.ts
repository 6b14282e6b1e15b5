import { expect, test } from 'vitest'
import { schemaHash } from './schema-hash.ts'

test('the order of members at any depth makes no difference', () => {
  const one = schemaHash({ b: [{ d: null, c: 'x' }], a: 1 })
  expect(one).toBe('sha256:73874d219adbfc69ffb017abbb33638c5a031f2d54a67752dab82ab92e24af2a')
  expect(schemaHash({ a: 1, b: [{ c: 'x', d: null }] })).toBe(one)
})

test('the order of elements, a value, and an absent member make one', () => {
  const hashes = [{ a: [1, 2] }, { a: [2, 1] }, { a: [1, 2], b: null }, {}].map(schemaHash)
  expect(new Set(hashes).size).toBe(4)
})
